// All operations, in the order in which hosts list them.
import { detailOperation } from "./detail.ts";
import { modelsOperation } from "./models.ts";
import { taskOperation } from "./task.ts";
import { telemetryOperation } from "./telemetry.ts";

/** Every operation. Tools and commands are derived from this list. */
export const OPERATIONS = [taskOperation, detailOperation, modelsOperation, telemetryOperation] as const;
