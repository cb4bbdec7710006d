/// The JSON Schema (draft 7) of a line of the event log; `schemas/run-event.schema.json` is this text.
package enum EventSchema {
  /// The document, ending with a line break.
  package static let text = #"""
    {
      "$schema": "http://json-schema.org/draft-07/schema#",
      "title": "reactor run event",
      "description": "A line of what 'reactor run --report ndjson' writes.",
      "type": "object",
      "required": ["v", "n", "event"],
      "properties": {
        "v": { "const": 1, "description": "Version of this form." },
        "n": { "$ref": "#/definitions/count", "description": "Counts the changes of the run; 0 is its plan." }
      },
      "oneOf": [
        {
          "additionalProperties": false,
          "required": ["tool", "max_failures", "flows"],
          "properties": {
            "v": {}, "n": { "const": 0 }, "event": { "const": "run.planned" },
            "tool": { "type": "string" }, "shard": { "type": "string" },
            "jobs": { "$ref": "#/definitions/count" }, "max_per_host": { "$ref": "#/definitions/count" },
            "max_failures": { "type": ["integer", "null"], "minimum": 1 },
            "flows": { "type": "array", "items": { "$ref": "#/definitions/flow" } }
          }
        },
        {
          "additionalProperties": false,
          "properties": {
            "v": {}, "n": {}, "event": { "enum": ["run.started", "run.finished"] }, "at_us": { "type": "integer" }
          }
        },
        {
          "additionalProperties": false,
          "properties": { "v": {}, "n": {}, "event": { "enum": ["run.cancelled", "run.draining"] } }
        },
        {
          "additionalProperties": false,
          "required": ["reason"],
          "properties": {
            "v": {}, "n": {}, "event": { "const": "run.stopped" }, "reason": { "enum": ["asked", "failures", "timeout"] }
          }
        },
        {
          "additionalProperties": false,
          "required": ["flow"],
          "properties": {
            "v": {}, "n": {}, "event": { "const": "flow.started" }, "flow": { "$ref": "#/definitions/id" },
            "at_us": { "type": "integer" }
          }
        },
        {
          "additionalProperties": false,
          "required": ["flow", "step"],
          "properties": {
            "v": {}, "n": {}, "event": { "enum": ["step.started", "step.finished"] },
            "flow": { "$ref": "#/definitions/id" }, "step": { "$ref": "#/definitions/step" },
            "duration_us": { "$ref": "#/definitions/count" }
          }
        },
        {
          "additionalProperties": false,
          "required": ["flow", "step", "error"],
          "properties": {
            "v": {}, "n": {}, "event": { "const": "step.failed" }, "flow": { "$ref": "#/definitions/id" },
            "step": { "$ref": "#/definitions/step" }, "error": { "$ref": "#/definitions/error" }
          }
        },
        {
          "additionalProperties": false,
          "required": ["flow", "miss"],
          "properties": {
            "v": {}, "n": {}, "event": { "const": "flow.missed" }, "flow": { "$ref": "#/definitions/id" },
            "miss": { "$ref": "#/definitions/miss" }
          }
        },
        {
          "additionalProperties": false,
          "required": ["flow", "bytes"],
          "properties": {
            "v": {}, "n": {}, "event": { "const": "flow.received" }, "flow": { "$ref": "#/definitions/id" },
            "bytes": { "$ref": "#/definitions/count" }
          }
        },
        {
          "additionalProperties": false,
          "required": ["flow", "records", "rejected", "rejections"],
          "properties": {
            "v": {}, "n": {}, "event": { "const": "flow.pruned" }, "flow": { "$ref": "#/definitions/id" },
            "records": { "$ref": "#/definitions/count" }, "rejected": { "$ref": "#/definitions/count" },
            "filtered": { "$ref": "#/definitions/count" }, "rejections": { "$ref": "#/definitions/rejections" }
          }
        },
        {
          "additionalProperties": false,
          "required": ["flow"],
          "properties": {
            "v": {}, "n": {},
            "event": { "enum": ["flow.cancelled", "flow.queued", "save.deferred", "save.withheld"] },
            "flow": { "$ref": "#/definitions/id" }
          }
        },
        {
          "additionalProperties": false,
          "required": ["flow", "pages", "records"],
          "properties": {
            "v": {}, "n": {}, "event": { "const": "flow.paged" }, "flow": { "$ref": "#/definitions/id" },
            "pages": { "$ref": "#/definitions/count" }, "records": { "$ref": "#/definitions/count" }
          }
        },
        {
          "additionalProperties": false,
          "required": ["flow", "attempt", "reason"],
          "properties": {
            "v": {}, "n": {}, "event": { "const": "flow.retrying" }, "flow": { "$ref": "#/definitions/id" },
            "attempt": { "type": "integer", "minimum": 1 },
            "reason": { "enum": ["status", "rule", "timeout", "reset", "connect"] },
            "status": { "type": "integer" }, "wait_us": { "$ref": "#/definitions/count" }
          }
        },
        {
          "additionalProperties": false,
          "required": ["flow"],
          "properties": {
            "v": {}, "n": {}, "event": { "const": "flow.waiting" }, "flow": { "$ref": "#/definitions/id" },
            "wait_us": { "$ref": "#/definitions/count" }
          }
        },
        {
          "additionalProperties": false,
          "required": ["flow", "path"],
          "properties": {
            "v": {}, "n": {}, "event": { "const": "flow.waiting_for_run" }, "flow": { "$ref": "#/definitions/id" },
            "path": { "type": "string" }
          }
        },
        {
          "additionalProperties": false,
          "required": ["flow", "source", "miss", "records", "rejected", "rejections", "pages", "bytes", "save", "error"],
          "properties": {
            "v": {}, "n": {}, "event": { "const": "flow.finished" }, "flow": { "$ref": "#/definitions/id" },
            "source": { "enum": ["network", "persistence", "not_modified"] },
            "miss": { "oneOf": [{ "type": "null" }, { "$ref": "#/definitions/miss" }] },
            "records": { "$ref": "#/definitions/count" }, "rejected": { "$ref": "#/definitions/count" },
            "rejections": { "$ref": "#/definitions/rejections" }, "pages": { "$ref": "#/definitions/count" },
            "bytes": { "$ref": "#/definitions/count" }, "filtered": { "$ref": "#/definitions/count" },
            "save": { "enum": ["none", "saved", "deferred", "tolerated", "withheld"] },
            "error": { "oneOf": [{ "type": "null" }, { "$ref": "#/definitions/error" }] },
            "steps_us": {
              "type": "object",
              "propertyNames": { "$ref": "#/definitions/step" },
              "additionalProperties": { "$ref": "#/definitions/count" }
            },
            "at_us": { "type": "integer" }
          }
        },
        {
          "additionalProperties": false,
          "required": ["flow", "error"],
          "properties": {
            "v": {}, "n": {}, "event": { "enum": ["flow.failed", "flow.cut_short", "flow.missing_fields", "save.unstamped"] }, "flow": { "$ref": "#/definitions/id" },
            "error": { "$ref": "#/definitions/error" }, "at_us": { "type": "integer" }
          }
        },
        {
          "additionalProperties": false,
          "required": ["flow", "error"],
          "properties": {
            "v": {}, "n": {}, "event": { "const": "save.ended" }, "flow": { "$ref": "#/definitions/id" },
            "error": { "oneOf": [{ "type": "null" }, { "$ref": "#/definitions/error" }] }
          }
        }
      ],
      "definitions": {
        "count": { "type": "integer", "minimum": 0 },
        "text": { "type": ["string", "null"] },
        "id": { "type": "string", "description": "file-stem.flow-name" },
        "step": { "enum": ["load", "reach", "request", "parse", "save"] },
        "miss": {
          "type": "object",
          "additionalProperties": false,
          "required": ["kind"],
          "properties": {
            "kind": {
              "enum": ["absent", "expired", "incremental", "other_resource", "schema_changed", "unreadable", "disabled", "skipped"]
            },
            "message": { "type": "string" }
          }
        },
        "rejections": {
          "type": "array",
          "maxItems": 100,
          "items": {
            "type": "object",
            "additionalProperties": false,
            "required": ["index", "pointer", "reason"],
            "properties": {
              "index": { "$ref": "#/definitions/count" }, "pointer": { "type": "string" },
              "reason": { "type": "string" }
            }
          }
        },
        "error": {
          "type": "object",
          "additionalProperties": false,
          "required": ["kind", "message", "status", "record", "pointer", "path"],
          "properties": {
            "kind": { "enum": ["server", "noConnectivity", "persistence", "parser", "fixture", "timeout", "cancelled"] },
            "message": { "type": "string" },
            "status": { "type": ["integer", "null"] }, "record": { "type": ["integer", "null"] },
            "pointer": { "$ref": "#/definitions/text" }, "path": { "$ref": "#/definitions/text" },
            "line": { "type": "integer", "minimum": 1 }, "column": { "type": "integer", "minimum": 1 }
          }
        },
        "flow": {
          "type": "object",
          "additionalProperties": false,
          "required": [
            "id", "file", "line", "after", "added", "host", "path", "rejected_path", "tolerates_save_failure"
          ],
          "properties": {
            "id": { "$ref": "#/definitions/id" }, "file": { "type": "string" },
            "line": { "type": "integer", "minimum": 1 }, "host": { "type": "string" },
            "after": { "type": "array", "items": { "$ref": "#/definitions/id" } }, "added": { "type": "boolean" },
            "path": { "$ref": "#/definitions/text" }, "rejected_path": { "$ref": "#/definitions/text" },
            "tolerates_save_failure": { "type": "boolean" }
          }
        }
      }
    }

    """#
}
