extension ResponseBody {
  /// Returns the beginning of the body on one line, for an error message; empty when the body is not text.
  ///
  /// Cancels the rest of the body.
  func excerpt(scalars limit: Int = 160) async -> String {
    var bytes: [UInt8] = []
    while bytes.count < limit * 4 {
      // An error here is ignored: the status is the error to report.
      guard let chunk = try? await next() else { break }
      bytes.append(contentsOf: chunk.prefix(limit * 4 - bytes.count))
    }
    cancel()
    return ResponseBody.line(of: bytes, scalars: limit)
  }

  private static func line(of bytes: [UInt8], scalars limit: Int) -> String {
    var line = String.UnicodeScalarView()
    var count = 0
    var pendingSpace = false
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      if scalar == "\0" { return "" }
      // Control and format characters could move a terminal's cursor or reverse the direction of its text.
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator, .spaceSeparator: pendingSpace = count > 0
      case .format, .surrogate, .unassigned, .privateUse: continue
      default:
        guard count < limit else { return String(line) + "…" }
        if pendingSpace {
          line.append(" ")
          count += 1
          pendingSpace = false
        }
        line.append(scalar)
        count += 1
      }
    }
    return String(line)
  }
}
