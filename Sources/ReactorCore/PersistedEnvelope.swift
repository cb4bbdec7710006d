internal import JSONSyntax

/// What a file of `InDiskPersistence` holds around the model.
struct PersistedEnvelope {
  private static let version: Int64 = 1

  /// Time since 1970-01-01T00:00:00Z, in whole milliseconds on disk.
  var savedAt: Duration
  /// The fingerprint of the resource that the model belongs to.
  var resource: String
  /// The model as its mapping wrote it.
  var model: JSONValue

  init(savedAt: Duration, resource: String, model: JSONValue) {
    self.savedAt = savedAt
    self.resource = resource
    self.model = model
  }

  init(parsing bytes: [UInt8]) throws(ReactorError) {
    let json: JSONValue
    do throws(JSONError) {
      json = try JSONValue(parsing: bytes)
    } catch {
      throw .persistence("it is damaged: \(error)")
    }
    guard json["reactor_persistence"]?.int64 == PersistedEnvelope.version, let resource = json["resource"]?.string,
      let savedAt = json["saved_at_ms"]?.int64, let model = json["model"]
    else { throw .persistence("it was not written by this version") }
    self.init(savedAt: .milliseconds(savedAt), resource: resource, model: model)
  }

  var json: JSONValue {
    let (seconds, attoseconds) = savedAt.components
    let milliseconds = seconds.multipliedReportingOverflow(by: 1000)
    return .object([
      "reactor_persistence": .integer(PersistedEnvelope.version),
      "saved_at_ms": .integer(
        milliseconds.overflow ? seconds : milliseconds.partialValue &+ attoseconds / 1_000_000_000_000_000),
      "resource": .string(resource),
      "model": model,
    ])
  }
}
