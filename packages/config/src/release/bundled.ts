/**
 * Development dependencies whose code is in the files of a package, by package. Package managers do not install them
 * for dependents, so no list of dependencies has them.
 */
export const bundled: Readonly<Record<string, readonly string[]>> = {
  '@quipu/client': ['commander'],
  '@quipu/console': ['preact', 'uplot'],
}
