/** The npm package of a file in `node_modules`, such as `@noble/hashes`. */
export const packageOf = (file: string): string | undefined =>
  /^.*\/node_modules\/((?:@[^/]+\/)?[^./@][^/]*)\//.exec(file)?.[1]
