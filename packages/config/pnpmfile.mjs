// pnpm loads this file when it resolves versions, not when it installs from the lockfile.

/**
 * Packages with Node's binaries have `os` and `cpu` as strings. pnpm reads lists only, and ignores strings.
 *
 * @type {{ readPackage(manifest: Record<string, unknown>): Record<string, unknown> }}
 */
export const hooks = {
  readPackage: (manifest) => ({
    ...manifest,
    ...(typeof manifest.os === 'string' && { os: [manifest.os] }),
    ...(typeof manifest.cpu === 'string' && { cpu: [manifest.cpu] }),
  }),
}
