/** That of the package, written by `pnpm run generate`. */
export const version = '0.0.0'
