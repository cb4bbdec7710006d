internal import Foundation

/// The summary that `--format json` prints.
package struct Summary: Decodable {
  /// One flow of the run.
  package struct Flow: Decodable {
    /// What went wrong with it.
    package struct Failure: Decodable {
      package var kind: String?
      package var message: String
      package var pointer: String?
      package var path: String?
    }
    package var id: String
    package var status: String
    package var source: String?
    package var miss: String?
    package var records: Int?
    package var rejected: Int?
    package var path: String?
    package var save: String?
    package var error: Failure?
    package var warnings: [Failure]?

    /// The flow's key in its file.
    package var name: Substring { id.split(separator: ".").last ?? "" }
  }
  /// A problem of a flow file.
  package struct Problem: Decodable {
    package var code: String
    package var file: String?
  }
  package var v: Int
  package var complete: Bool
  package var exit: Int32
  package var counts: [String: Int]
  package var problems: [Problem]
  package var flows: [Flow]

  /// Reads it with another JSON reader than the one that is tested.
  package init(parsing text: String) throws {
    self = try JSONDecoder().decode(Summary.self, from: Data(text.utf8))
  }
}
