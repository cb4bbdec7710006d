package import ReactorCore

extension RunReport {
  /// One flow of a run that has ended; `shape` describes each member.
  package struct Flow: Sendable, Hashable {
    /// The status with which the flow ended.
    package enum Status: String, Sendable, Hashable, CaseIterable {
      /// The flow produced records that match its declaration.
      case passed
      /// The response does not match the flow's declaration.
      case failed
      /// The flow could not be judged, or its result could not be persisted.
      case error
      /// The run ended before the flow.
      case cancelled
    }

    /// A record that does not match the flow's declaration.
    package struct Rejection: Sendable, Hashable {
      package var index: Int
      package var pointer: String
      package var reason: String

      /// The rejection as text: `record 3 at /name: reason`.
      package var sentence: String { "record \(index)\(pointer.isEmpty ? "" : " at \(pointer)"): \(reason)" }
    }

    /// The reason why a flow did not pass, or why its result was not persisted.
    package struct Failure: Sendable, Hashable {
      /// The kind as named by `ReactorError.Kind`.
      package var kind: String
      package var message: String
      package var status: Int?
      package var record: Int?
      package var pointer: String?
      package var path: String?
      package var help: String?
      package var location: ReactorError.Location?

      /// The message with the record and the pointer.
      package var sentence: String {
        if let record { return message + " (record \(record)\(pointer.map { ", \($0)" } ?? ""))" }
        return message + (pointer.map { " (at \($0))" } ?? "")
      }
    }

    /// A reason why a flow that passed is not a full success.
    package struct Warning: Sendable, Hashable {
      /// The kind as named by `ReactorError.Kind`, or by `FlowWarning.Kind`.
      package var kind: String
      package var message: String
      package var path: String?
      package var location: ReactorError.Location?

      /// The warning as a sentence: the effect and the reason.
      var sentence: String {
        switch kind {
        case _ where FlowWarning.Kind(rawValue: kind) != nil: message
        // This warning concerns the note about the result's origin. When the result itself cannot be persisted, the
        // flow has an error instead of a warning.
        case "persistence": "saved, but the next run will ask the server again: \(message)"
        default: "these are not all records: \(message)"
        }
      }
    }

    /// A difference of a run from its golden. Values are JSON text, exactly as written.
    package struct Difference: Sendable, Hashable {
      package var path: String
      package var key: String?
      package var jsonPath: String
      package var expected: String?
      package var actual: String?
      package var file: String
      package var line: Int
      package var response: String?

      /// Creates a difference.
      package init(
        path: String, key: String? = nil, jsonPath: String, expected: String? = nil, actual: String? = nil,
        file: String, line: Int, response: String? = nil
      ) {
        self.path = path
        self.key = key
        self.jsonPath = jsonPath
        self.expected = expected
        self.actual = actual
        self.file = file
        self.line = line
        self.response = response
      }
    }

    /// A step and its duration, in the unit of the flow's duration.
    package struct Step: Sendable, Hashable {
      package var step: FlowStep
      package var duration: Int64
    }

    /// The source of records that come from a recording instead of the servers.
    package static let replayed = "replayed"

    package var id: String
    package var file: String
    package var line: Int
    package var status: Status
    package var source: String?
    package var miss: String?
    package var retries = 0
    package var records = 0
    package var rejected = 0
    package var filtered = 0
    package var rejections: [Rejection] = []
    package var bytes = 0
    package var path: String?
    package var rejectedPath: String?
    /// The progress of the save, as `SaveOutcome.word`.
    package var save = "none"
    package var started: Int64?
    package var duration: Int64?
    package var steps: [Step] = []
    package var failure: Failure?
    package var isAdded = false
    package var warnings: [Warning] = []
    package var differences: [Difference] = []
    package var differencesLeftOut = 0
    package var cassette: String?
    package var golden: String?
    package var details: [String] = []

    /// Creates a flow without further facts.
    package init(id: String, file: String, line: Int, status: Status) {
      self.id = id
      self.file = file
      self.line = line
      self.status = status
    }

    /// The part of the id that names the file.
    package var group: String { id.firstIndex(of: ".").map { String(id[..<$0]) } ?? id }
    /// The part of the id that names the flow.
    package var name: String { id.firstIndex(of: ".").map { String(id[id.index(after: $0)...]) } ?? id }
  }
}
