import Testing
@testable import SourceDiagnostics
