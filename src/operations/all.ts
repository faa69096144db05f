// All operations, in the order in which hosts list them.
import { batchOperation } from "./batch.ts";
import { cancelOperation } from "./cancel.ts";
import { detailOperation } from "./detail.ts";
import { modelsOperation } from "./models.ts";
import { taskOperation } from "./task.ts";
import { tasksOperation } from "./tasks.ts";
import { telemetryOperation } from "./telemetry.ts";
import { waitOperation } from "./wait.ts";

/** Every operation. Tools and commands are derived from this list. */
export const OPERATIONS = [
  taskOperation,
  detailOperation,
  modelsOperation,
  telemetryOperation,
  waitOperation,
  cancelOperation,
  tasksOperation,
  batchOperation,
] as const;
