internal import CLibYAML

extension YAMLDocument {
  /// The version of libyaml, for reports.
  public static var libraryVersion: String { String(cString: yaml_get_version_string()) }
}
