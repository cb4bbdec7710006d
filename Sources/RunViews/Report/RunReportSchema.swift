/// The JSON Schema (draft 7) of `RunReport.json`, which `reactor run --format json` prints;
/// `schemas/run-summary.schema.json` is this text.
package enum RunReportSchema {
  /// The document, ending with a line break.
  package static let text = #"""
    {
      "$schema": "http://json-schema.org/draft-07/schema#",
      "title": "reactor run summary",
      "description": "What 'reactor run --format json' prints on standard output.",
      "type": "object",
      "additionalProperties": false,
      "required": ["v", "tool", "complete", "exit", "counts", "records", "rejected", "bytes", "problems", "flows"],
      "properties": {
        "v": { "const": 1, "description": "Version of this form." },
        "tool": { "type": "string", "description": "Version of the program." },
        "complete": { "type": "boolean", "description": "False when the run was stopped early." },
        "exit": { "enum": [0, 1, 2, 3, 4, 5, 6, 70, 74, 130, 143], "description": "The exit code." },
        "shard": { "type": "string", "description": "Which part of a divided selection it was: 2/5." },
        "counts": {
          "description": "Flows by status.",
          "type": "object",
          "additionalProperties": false,
          "required": ["selected", "passed", "failed", "error", "cancelled"],
          "properties": {
            "selected": { "$ref": "#/definitions/count" },
            "passed": { "$ref": "#/definitions/count" },
            "failed": { "$ref": "#/definitions/count" },
            "error": { "$ref": "#/definitions/count" },
            "cancelled": { "$ref": "#/definitions/count" }
          }
        },
        "records": { "$ref": "#/definitions/count", "description": "Records that fit, of all flows." },
        "rejected": { "$ref": "#/definitions/count", "description": "Records that did not fit, of all flows." },
        "bytes": { "$ref": "#/definitions/count", "description": "Decoded bytes of all responses." },
        "filtered": {
          "$ref": "#/definitions/count", "description": "Records left out by 'where' and the like; absent when none is."
        },
        "duration_ms": { "type": ["integer", "null"], "description": "Absent with --no-timing." },
        "problems": {
          "description": "Problems of the flow files.",
          "type": "array",
          "items": { "$ref": "#/definitions/problem" }
        },
        "flows": {
          "description": "The flows in plan order.",
          "type": "array",
          "items": { "$ref": "#/definitions/flow" }
        }
      },
      "definitions": {
        "count": { "type": "integer", "minimum": 0 },
        "text": { "type": ["string", "null"] },
        "problem": {
          "type": "object",
          "required": ["severity", "code", "message", "notes", "fixes"],
          "properties": {
            "severity": { "enum": ["error", "warning"] },
            "code": { "type": "string", "description": "Explained by 'reactor explain CODE'." },
            "message": { "type": "string" },
            "file": { "type": "string" },
            "line": { "type": "integer", "minimum": 1 },
            "column": { "type": "integer", "minimum": 1 },
            "help": { "type": "string" }
          }
        },
        "flow": {
          "type": "object",
          "additionalProperties": false,
          "required": [
            "id", "file", "line", "status", "source", "miss", "retries", "records", "rejected", "rejections", "bytes", "path",
            "save", "error", "warnings"
          ],
          "properties": {
            "id": { "type": "string" },
            "file": { "type": "string" },
            "line": { "type": "integer", "minimum": 1, "description": "Of the flow's key." },
            "added": { "const": true, "description": "Run only because selected flows take its records." },
            "status": {
              "enum": ["passed", "failed", "error", "cancelled"],
              "description": "failed: the response did not fit. error: not judged, or not kept."
            },
            "source": { "enum": ["network", "persistence", "not_modified", null] },
            "miss": { "$ref": "#/definitions/text", "description": "Why the persisted result was not used." },
            "retries": { "$ref": "#/definitions/count", "description": "Requests that were sent again." },
            "records": { "$ref": "#/definitions/count" },
            "rejected": { "$ref": "#/definitions/count" },
            "rejections": {
              "description": "The first 100 rejected records.",
              "type": "array",
              "maxItems": 100,
              "items": {
                "type": "object",
                "additionalProperties": false,
                "required": ["index", "pointer", "reason"],
                "properties": {
                  "index": { "$ref": "#/definitions/count", "description": "Place in the response, from 0." },
                  "pointer": { "type": "string", "description": "RFC 6901, into the record." },
                  "reason": { "type": "string" }
                }
              }
            },
            "bytes": { "$ref": "#/definitions/count" },
            "filtered": {
              "$ref": "#/definitions/count", "description": "Records that are not wanted; absent when there is none."
            },
            "path": { "$ref": "#/definitions/text", "description": "Of the result, relative to the output root." },
            "rejected_path": {
              "$ref": "#/definitions/text",
              "description": "Of the file with all rejected records, relative to the output root."
            },
            "save": { "enum": ["none", "saved", "deferred", "failed", "tolerated", "withheld"] },
            "started_ms": { "type": ["integer", "null"], "description": "Since the start of the run." },
            "duration_ms": { "type": ["integer", "null"] },
            "steps_ms": {
              "type": "object",
              "additionalProperties": false,
              "properties": {
                "load": { "$ref": "#/definitions/count" },
                "reach": { "$ref": "#/definitions/count" },
                "request": { "$ref": "#/definitions/count" },
                "parse": { "$ref": "#/definitions/count" },
                "save": { "$ref": "#/definitions/count" }
              }
            },
            "error": {
              "description": "Why the flow did not pass, or why its result was not kept.",
              "type": ["object", "null"],
              "additionalProperties": false,
              "required": ["kind", "message", "status", "record", "pointer", "path", "help"],
              "properties": {
                "kind": { "enum": ["server", "noConnectivity", "persistence", "parser", "fixture", "timeout", "cancelled"] },
                "message": { "type": "string" },
                "status": { "type": ["integer", "null"], "description": "HTTP status." },
                "record": { "type": ["integer", "null"], "description": "Index of the record, from 0." },
                "pointer": { "$ref": "#/definitions/text" },
                "path": { "$ref": "#/definitions/text" },
                "help": { "$ref": "#/definitions/text" },
                "line": { "type": "integer", "minimum": 1, "description": "Of the mistake in the flow's file, where that is known." },
                "column": { "type": "integer", "minimum": 1 }
              }
            },
            "cassette": { "type": "string", "description": "The recording that answered in place of servers." },
            "golden": { "type": "string", "description": "The records that those of a replay were compared with." },
            "diffs": {
              "description": "In what a replay is not what its golden says.",
              "type": "array",
              "items": {
                "type": "object",
                "additionalProperties": false,
                "required": [
                  "path", "key", "json_path", "expected", "actual", "mapping_file", "mapping_line", "response"
                ],
                "properties": {
                  "path": { "type": "string", "description": "The golden, or the output that it stands for." },
                  "key": { "$ref": "#/definitions/text", "description": "The record's key." },
                  "json_path": { "type": "string" },
                  "expected": { "$ref": "#/definitions/text", "description": "JSON, as written." },
                  "actual": { "$ref": "#/definitions/text", "description": "JSON, as written." },
                  "mapping_file": { "type": "string" },
                  "mapping_line": { "type": "integer", "minimum": 1 },
                  "response": { "$ref": "#/definitions/text", "description": "The response that it came from." }
                }
              }
            },
            "diffs_left_out": { "$ref": "#/definitions/count", "description": "Differences that are not listed." },
            "details": {
              "description": "What else is to be said of a replay.",
              "type": "array",
              "items": { "type": "string" }
            },
            "warnings": {
              "description": "What is short of a full success: why these are not all records (partial: keep), of the kind persistence, why the next run will ask the server again although the result was kept, or, of the kind missingFields, which fields that may be absent are in no record, although a name like theirs is.",
              "type": "array",
              "items": {
                "type": "object",
                "additionalProperties": false,
                "required": ["kind", "message", "path"],
                "properties": {
                  "kind": { "enum": ["server", "noConnectivity", "persistence", "parser", "fixture", "timeout", "cancelled", "missingFields"] },
                  "message": { "type": "string" },
                  "path": { "$ref": "#/definitions/text" },
                  "line": { "type": "integer", "minimum": 1 },
                  "column": { "type": "integer", "minimum": 1 }
                }
              }
            }
          }
        }
      }
    }

    """#
}
