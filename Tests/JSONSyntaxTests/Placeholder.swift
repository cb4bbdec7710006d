import Testing
@testable import JSONSyntax
