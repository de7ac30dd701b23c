// The exports of a package's entry, and their docstrings. TypeScript 6 still has the API to read it.
import ts from 'typescript'

export type Exported = {
  readonly name: string
  readonly isDocumented: boolean
  /** A function whose first parameter is a record of ports: `…Ports`. */
  readonly isUseCase: boolean
  readonly hasExample: boolean
}

/** The exports of an entry, such as `packages/core/src/index.ts`. */
export function exportsOf(entry: string): readonly Exported[] {
  const [found = []] = exportsOfEach([entry])
  return found
}

/** The names without a docstring of each entry. */
export const undocumentedIn = (entries: readonly string[]): readonly (readonly string[])[] =>
  exportsOfEach(entries).map((found) => found.filter(({ isDocumented }) => !isDocumented).map(({ name }) => name))

/** Reads the entries together, since they share what they import. */
function exportsOfEach(entries: readonly string[]): readonly (readonly Exported[])[] {
  const program = ts.createProgram([...entries], {
    target: ts.ScriptTarget.ES2024,
    module: ts.ModuleKind.NodeNext,
    allowImportingTsExtensions: true,
    noEmit: true,
    strict: true,
    customConditions: ['source'],
  })
  const checker = program.getTypeChecker()
  return entries.map((entry) => {
    const file = program.getSourceFile(entry)
    const module = file && checker.getSymbolAtLocation(file)
    if (module === undefined) throw new Error(`${entry} exports nothing`)
    return checker.getExportsOfModule(module).map((symbol) => describe(checker, symbol))
  })
}

function describe(checker: ts.TypeChecker, symbol: ts.Symbol): Exported {
  const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0
  const declared = isAlias ? checker.getAliasedSymbol(symbol) : symbol
  return {
    name: symbol.name,
    isDocumented: ts.displayPartsToString(declared.getDocumentationComment(checker)) !== '',
    isUseCase: takesPorts(checker, declared),
    hasExample: declared.getJsDocTags(checker).some(({ name }) => name === 'example'),
  }
}

function takesPorts(checker: ts.TypeChecker, symbol: ts.Symbol): boolean {
  const [declaration] = symbol.declarations ?? []
  if (declaration === undefined || ts.isTypeAliasDeclaration(declaration)) return false
  const [signature] = checker.getTypeOfSymbol(symbol).getCallSignatures()
  const parameter = signature?.declaration?.parameters.at(0)
  const type = parameter && 'type' in parameter ? parameter.type : undefined
  return type?.getText().endsWith('Ports') === true
}
