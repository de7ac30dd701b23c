// Loaded by pnpm when it resolves versions, not when it installs what the lockfile names.

/**
 * Packages with Node's binaries name their one platform without a list, which pnpm takes for none.
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
