// YAML as Hermes reads it: version 1.1 in PyYAML's form, where `y` and `n` stay text but `on`, `off`, `yes`, `no` do not.
import type { DocumentOptions, ParseOptions, SchemaOptions, Tags } from "yaml";

const TRUE = /^(?:yes|Yes|YES|true|True|TRUE|on|On|ON)$/;
const FALSE = /^(?:no|No|NO|false|False|FALSE|off|Off|OFF)$/;

/** Options for reading and writing Hermes' files. */
export const DIALECT: ParseOptions & DocumentOptions & SchemaOptions = {
  version: "1.1",
  customTags: (tags: Tags): Tags =>
    tags.map((tag) => {
      if (typeof tag !== "object" || tag.tag !== "tag:yaml.org,2002:bool" || tag.collection) return tag;
      return { ...tag, test: tag.test?.test("true") ? TRUE : FALSE };
    }),
};
