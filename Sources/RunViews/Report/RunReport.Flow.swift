package import ReactorCore

extension RunReport {
  /// One flow of a run that is over.
  package struct Flow: Sendable, Hashable {
    /// How it ended.
    package enum Status: String, Sendable, Hashable, CaseIterable {
      /// It gave records that fit.
      case passed
      /// The response does not fit what the flow declares.
      case failed
      /// It could not be judged, or its result could not be kept.
      case error
      /// The run ended first.
      case cancelled
    }

    /// A record that was left out.
    package struct Rejection: Sendable, Hashable {
      /// Its place in the response, from 0.
      package var index: Int
      /// RFC 6901, into the record.
      package var pointer: String
      /// Why.
      package var reason: String

      /// `record 3 at /name: reason`
      package var sentence: String { "record \(index)\(pointer.isEmpty ? "" : " at \(pointer)"): \(reason)" }
    }

    /// Why a flow did not pass, or why its result was not kept.
    package struct Failure: Sendable, Hashable {
      /// The stage, as `ReactorError.Kind` names it.
      package var kind: String
      /// What happened.
      package var message: String
      /// HTTP status.
      package var status: Int?
      /// The record concerned, from 0.
      package var record: Int?
      /// RFC 6901, into the record or the response.
      package var pointer: String?
      /// The file concerned.
      package var path: String?
      /// How to fix it.
      package var help: String?
      /// Where in the flow's file the mistake is, where that is known more closely than the flow's line.
      package var place: ReactorError.Location?

      /// The message with its place.
      package var sentence: String {
        if let record { return message + " (record \(record)\(pointer.map { ", \($0)" } ?? ""))" }
        return message + (pointer.map { " (at \($0))" } ?? "")
      }
    }

    /// What is short of a full success.
    package struct Warning: Sendable, Hashable {
      /// The kind of the one that is about fields which no record has.
      package static let missingFields = "missingFields"

      /// The stage, as `ReactorError.Kind` names it, or `missingFields`.
      package var kind: String
      /// What happened.
      package var message: String
      /// The file concerned.
      package var path: String?
      /// Where in the flow's file the mistake is, where that is known.
      package var place: ReactorError.Location?

      /// What is short of a full success, and why.
      var sentence: String {
        switch kind {
        case Self.missingFields: message
        // A result that cannot be kept fails its flow or is its error: here it is the note of where it comes from.
        case "persistence": "saved, but the next run will ask the server again: \(message)"
        default: "these are not all records: \(message)"
        }
      }
    }

    /// `file-stem.flow-name`
    package var id: String
    /// The flow file as the user named it.
    package var file: String
    /// The line of the flow's key, from 1.
    package var line: Int
    /// How it ended.
    package var status: Status
    /// `network` or `persistence`; nil when there was no result.
    package var source: String?
    /// Why the persisted result was not used.
    package var miss: String?
    /// Requests that were sent again.
    package var retries = 0
    /// Records that fit.
    package var records = 0
    /// Records that did not.
    package var rejected = 0
    /// Records that were left out because they are not wanted.
    package var filtered = 0
    /// The first of the rejected ones.
    package var rejections: [Rejection] = []
    /// Decoded bytes of the response.
    package var bytes = 0
    /// Where the result is, relative to the output root.
    package var path: String?
    /// Where the rejected records are, relative to the output root; nil when they are only reported.
    package var rejectedPath: String?
    /// `SaveProgress.word`
    package var save = "none"
    /// When it began, in milliseconds since the run's start.
    package var started: Int64?
    /// How long it took, in milliseconds.
    package var duration: Int64?
    /// Milliseconds by step, in the order of the steps; empty without timing.
    package var steps: [Step] = []
    /// Why it did not pass, or why its result was not kept.
    package var failure: Failure?
    /// Whether it was run only because selected flows take its records.
    package var isAdded = false
    /// What is odd although it passed.
    package var warnings: [Warning] = []

    /// In what the run is not what its golden says, as far as it is listed.
    package var differences: [Difference] = []
    /// Further differences that are not listed.
    package var differencesLeftOut = 0
    /// The recording that answered in place of servers; nil in a run that asked them and recorded nothing.
    package var cassette: String?
    /// The records that those of a replay were compared with.
    package var golden: String?
    /// What else is to be said of a replay, a line each: what a request without a recording differs in, for one.
    package var details: [String] = []

    /// A way in which a run is not what its golden says; values are JSON, as written.
    package struct Difference: Sendable, Hashable {
      /// The golden, or the output that it stands for.
      package var path: String
      /// The record's key.
      package var key: String?
      /// The place in the record or in the decisions.
      package var jsonPath: String
      /// What was to be there; nil when nothing was.
      package var expected: String?
      /// What is there; nil when nothing is.
      package var actual: String?
      /// The file that declares where the value comes from.
      package var file: String
      /// The line of that, from 1.
      package var line: Int
      /// The response that the record came from.
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

    /// A step and the time it took.
    package struct Step: Sendable, Hashable {
      /// Which.
      package var step: FlowStep
      /// In milliseconds.
      package var duration: Int64
    }

    /// A flow without any facts yet.
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
