// Does it all hold for an MCP host: the protocol's own client, the server, the real Hermes, a model server?
import { REAL_CASES } from "../support/real_cases.ts";
import { playThrough } from "../support/real_flow.ts";
import { mcp } from "../support/surfaces.ts";

playThrough(mcp(), REAL_CASES);
