package import ReactorCore
package import SourceDiagnostics

/// A code that is printed in brackets after a problem of a run, for `reactor explain`.
///
/// Each kind of error has a code, and so does each kind of warning that does not come from an error. JSON reports use
/// the names of `ReactorError.Kind` instead (`noConnectivity`); `init(word:)` accepts both.
package enum RunCode: String, Sendable, Hashable, CaseIterable {
  case server = "run.server"
  case noConnectivity = "run.no-connectivity"
  case persistence = "run.persistence"
  case parser = "run.parser"
  case fixture = "run.fixture"
  case timeout = "run.timeout"
  case cancelled = "run.cancelled"
  case busy = "run.busy"
  case missingFields = "run.missing-fields"
  case newMembers = "run.new-members"
  case movedList = "run.moved-list"
  case sharedKey = "run.shared-key"
  case unreadableLimit = "run.unreadable-limit"
  case pruned = "run.pruned"

  /// The code of an error.
  package init(_ error: ReactorError) { self = error.isOtherRun ? .busy : RunCode(error.kind) }

  /// The code of a kind of warning; nil for a kind that is printed with the code of the error that caused it.
  package init?(_ kind: FlowWarning.Kind) {
    switch kind {
    case .missingFields: self = .missingFields
    case .newMembers: self = .newMembers
    case .movedList: self = .movedList
    case .sharedKey: self = .sharedKey
    case .unreadableLimit: self = .unreadableLimit
    case .jobLeft: return nil
    }
  }

  /// The code of a kind of error.
  package init(_ kind: ReactorError.Kind) {
    self =
      switch kind {
      case .server: .server
      case .noConnectivity: .noConnectivity
      case .persistence: .persistence
      case .parser: .parser
      case .fixture: .fixture
      case .timeout: .timeout
      case .cancelled: .cancelled
      }
  }

  /// Finds the code for a kind's word in a report or an event, such as `noConnectivity`.
  package init?(word: String) {
    guard let code = Self.allCases.first(where: { "\($0)" == word || $0.rawValue == "run." + word }) else { return nil }
    self = code
  }

  /// The meaning of the code, with instructions for the user.
  package var entry: DiagnosticCatalogue.Entry {
    let (title, explanation) = page
    return .init(DiagnosticCode(rawValue: rawValue), title, explanation, wrong: nil, right: nil)
  }

  private var page: (title: String, explanation: String) {
    switch self {
    case .server:
      (
        "the request failed, or the response was refused",
        """
        The connection broke, or the server's response has a status or a form that the flow does not accept. The \
        result that was persisted before stays as it was. The message names the status: for 401 and 403 look at the \
        flow's 'auth' and its secrets, for 404 at 'base_url' and 'resource', for 429 and 5xx run again later. \
        'expect', 'errors' and 'retry' of the flow decide which responses are errors and which requests are sent \
        again.
        """
      )
    case .noConnectivity:
      (
        "the host is not reachable",
        """
        No connection was made, so no request was sent. The message names host, port and cause: the name is not \
        resolved, the connection is refused, or the time limit was exceeded. Check that the server runs, and that \
        'base_url' names its host and port. 'reachability: false' leaves out the probe before the first request.
        """
      )
    case .persistence:
      (
        "the persisted result could not be read or written",
        """
        The previous result is intact: no result is ever half written. Check that the folder exists, that it \
        may be written, and that the disk has room. With --fresh=never this error means that nothing usable is \
        persisted yet: run once without that option.
        """
      )
    case .parser:
      (
        "the response does not fit the flow",
        """
        The response is not what the flow declares: it is not JSON, 'records' leads to nothing, a record does not fit \
        the schema, 'expect' does not hold, or the server has more records than the flow takes. The result that was \
        persisted before stays as it was. 'reactor explain FLOW' shows what is expected; 'prune: true' leaves out \
        records that do not fit and reports them.
        """
      )
    case .fixture:
      (
        "a recording or a golden is missing or damaged",
        """
        No server was involved. 'reactor fixtures verify' shows what is wrong with the files; 'reactor record -s FLOW' \
        records the flow again.
        """
      )
    case .timeout:
      (
        "a time limit was exceeded",
        """
        A response, a flow or the whole run took longer than its limit. The message names the limit. Run again, or raise \
        the limit: 'http.timeout' for one request, 'deadline' for a flow, --total-timeout for the whole run.
        """
      )
    case .cancelled:
      (
        "the run ended before the flow did",
        """
        Ctrl-C, a signal or failed flows with --max-fail ended the run. No result is half written; run again to finish. \
        -s '!result:passed' runs only the flows that did not pass.
        """
      )
    case .busy:
      (
        "another run of the flow is running",
        """
        It has locked the result, so this run sent nothing and changed nothing. --if-running says what such a flow \
        does: wait for the end of the other run, skip (no failure), or fail.
        """
      )
    case .missingFields:
      (
        "an optional field is missing in all records",
        """
        The schema declares a field that may be absent. No record has it, but the records have a member with a similar \
        name, so the path is probably misspelt. The flow passed and its records were persisted without that field. Fix \
        'from', or remove the field.
        """
      )
    case .newMembers:
      (
        "records have members that the lock file does not know",
        """
        The fields of the schema were inferred and are in the lock file beside the flow file. The server now sends \
        more. The flow passed, and its records were persisted without these members. Add each to the lock file with \
        its type, or leave it out with 'change: { remove: [NAME] }'.
        """
      )
    case .movedList:
      (
        "the list changed while it was read",
        """
        The pages are requested by number or offset, and the list changed between two of them: a record that moved to \
        a page which was already read is missing, and one that moved the other way arrived twice. The flow passed. \
        Request ranges that do not move ('cursor' with 'cap'), or pages by a token, or run again when the list is \
        stable.
        """
      )
    case .sharedKey:
      (
        "two parents gave different records with one key",
        """
        The key of the schema identifies a record only together with its parent: two parents gave records that share \
        the key and differ. With 'mode: merge' one of the two is lost, in other modes both are stored. The flow \
        passed. Give the record a field for the parent ('value'), and name it in the key too. Records that are the \
        same whichever parent gives them are not reported.
        """
      )
    case .unreadableLimit:
      (
        "the server's rate limit could not be read",
        """
        The flow says with 'http.rate.follow' which header fields have the server's rate limit. A value has an \
        unexpected form, so it was ignored and no request waited for it. The flow passed. Compare the field with \
        'format', and look for the right fields in the documentation of the server.
        """
      )
    case .pruned:
      (
        "records that do not fit were left out",
        """
        The flow says 'prune: true': records that do not fit the schema are left out, counted and reported with their \
        reasons. 'rejected: FILE' stores them, --fresh=rejected requests them again, 'expect' limits their \
        number.
        """
      )
    }
  }
}

extension DiagnosticCatalogue {
  /// The meaning of each code of a run.
  package static let runEntries: [Entry] = RunCode.allCases.map(\.entry)
}
