package import ReactorCore

extension RunReport {
  /// One flow of a run that is over; `shape` says what each member means.
  package struct Flow: Sendable, Hashable {
    /// How it ended.
    package enum Status: String, Sendable, Hashable, CaseIterable {
      /// It gave records that fit.
      case passed
      /// The response does not fit what the flow declares.
      case failed
      /// It could not be judged, or its result could not be persisted.
      case error
      /// The run ended first.
      case cancelled
    }

    /// A record that does not fit.
    package struct Rejection: Sendable, Hashable {
      package var index: Int
      package var pointer: String
      package var reason: String

      /// `record 3 at /name: reason`
      package var sentence: String { "record \(index)\(pointer.isEmpty ? "" : " at \(pointer)"): \(reason)" }
    }

    /// Why a flow did not pass, or why its result was not persisted.
    package struct Failure: Sendable, Hashable {
      /// As `ReactorError.Kind` names it.
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

    /// What is short of a full success.
    package struct Warning: Sendable, Hashable {
      /// The kind of the one that is about fields which no record has.
      package static let missingFields = "missingFields"

      /// As `ReactorError.Kind` names it, or `missingFields`.
      package var kind: String
      package var message: String
      package var path: String?
      package var location: ReactorError.Location?

      /// What is short of a full success, and why.
      var sentence: String {
        switch kind {
        case Self.missingFields: message
        // A result that cannot be persisted fails its flow or is its error: this one is about the note of its origin.
        case "persistence": "saved, but the next run will ask the server again: \(message)"
        default: "these are not all records: \(message)"
        }
      }
    }

    /// A difference of a run from its golden; values are JSON, as written.
    package struct Difference: Sendable, Hashable {
      package var path: String
      package var key: String?
      package var jsonPath: String
      package var expected: String?
      package var actual: String?
      package var file: String
      package var line: Int
      package var response: String?

      /// Joins the parts.
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

    /// A step and how long it took; the unit is that of the whole.
    package struct Step: Sendable, Hashable {
      package var step: FlowStep
      package var duration: Int64
    }

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
    /// `SaveProgress.word`
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

    /// A flow without facts.
    package init(id: String, file: String, line: Int, status: Status) {
      self.id = id
      self.file = file
      self.line = line
      self.status = status
    }

    /// The file's part of the id.
    package var group: String { id.firstIndex(of: ".").map { String(id[..<$0]) } ?? id }
    /// The flow's part of the id.
    package var name: String { id.firstIndex(of: ".").map { String(id[id.index(after: $0)...]) } ?? id }
  }
}
