// Does it all hold for a script that imports the module, under the documented permissions, with the real Hermes?
import { REAL_CASES } from "../support/real_cases.ts";
import { playThrough } from "../support/real_flow.ts";
import { MODULE } from "../support/surfaces.ts";

playThrough(MODULE, REAL_CASES);
