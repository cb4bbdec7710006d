import Testing
@testable import YAMLSyntax
