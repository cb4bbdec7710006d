internal import CCompression

/// A format of compressed files, named by the last extension of the path.
public enum CompressionFormat: String, Sendable, Hashable, CaseIterable {
  /// gzip (RFC 1952), by zlib.
  case gzip = "gz"
  /// Zstandard (RFC 8878), by libzstd, which is loaded when it is first needed.
  case zstd = "zst"

  /// The format of a file extension, in upper or lower case; nil for any other extension.
  public init?(fileExtension: String) { self.init(rawValue: fileExtension.lowercased()) }

  /// Loads the library of the format.
  ///
  /// - Throws: an error with the remedy when the library is not installed
  public func load() throws(CompressionError) {
    guard self == .zstd, ccompression_loads_zstd() == 0 else { return }
    throw CompressionError(
      message: "Zstandard is not available: \(String(cString: ccompression_zstd_failure()))",
      help: "install libzstd, which Debian calls libzstd1, or use '.gz'")
  }

  /// The number that stands for the format in the C code.
  var number: Int32 { Int32(self == .gzip ? ccompression_gzip : ccompression_zstd) }
}

/// The reason why bytes could not be compressed or decompressed.
public struct CompressionError: Error, Sendable, Hashable {
  /// The description of the error: in lower case, without a full stop.
  public let message: String
  /// The help; nil when only other content would help.
  public let help: String?

  /// Creates an error.
  public init(message: String, help: String? = nil) {
    self.message = message
    self.help = help
  }

  static let noMemory = CompressionError(message: "there is no memory for the compression")
}
