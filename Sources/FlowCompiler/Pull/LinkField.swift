internal import ReactorCore

/// `Link` header fields, RFC 8288: enough to find the target of a relation.
enum LinkField {
  /// The first target with a relation; relations are compared without case.
  static func target(_ relation: String, in headers: Headers) -> String? {
    nil
  }
}
