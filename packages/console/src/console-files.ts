import { createHash } from 'node:crypto'

/** A file that the console's page consists of. */
export type ConsoleFile = {
  /** Contains the digest of the content, but for the page. */
  readonly name: string
  readonly content: string
  /** With the media type and the security headers. */
  readonly headers: Readonly<Record<string, string>>
}

/** The page, and what it loads from `assets/` beside it. */
export type ConsoleFiles = { readonly page: ConsoleFile; readonly assets: readonly ConsoleFile[] }

/** The output of a build of the sources of the browser. */
export type BuiltAssets = { readonly script: string; readonly style: string }

/** The whole console of built assets. */
export function filesOf({ script, style }: BuiltAssets): ConsoleFiles {
  const scriptFile = asset('console', 'js', 'text/javascript; charset=utf-8', script)
  const styleFile = asset('console', 'css', 'text/css; charset=utf-8', style)
  const iconFile = asset('icon', 'svg', 'image/svg+xml', icon)
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'X-Frame-Options': 'DENY',
    ...everywhere,
  }
  const content = pageOf({ script: scriptFile.name, style: styleFile.name, icon: iconFile.name })
  return { page: { name: 'index.html', content, headers }, assets: [scriptFile, styleFile, iconFile] }
}

const everywhere = { 'Cross-Origin-Resource-Policy': 'same-origin', 'Referrer-Policy': 'no-referrer' } as const

function asset(stem: string, extension: string, mediaType: string, content: string): ConsoleFile {
  const digest = createHash('sha256').update(content).digest('base64url').slice(0, 16)
  const name = `${stem}-${digest}.${extension}`
  return { name, content, headers: { 'Content-Type': mediaType, ...everywhere } }
}

/** Nothing inline, nothing from elsewhere, and no text that becomes markup. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b6e4f"/><path d="M8 9h16M11 9v13m5-13v9m5-9v15" stroke="#fff" stroke-width="2.4" stroke-linecap="round"/><g fill="#fff"><circle cx="11" cy="16" r="2"/><circle cx="16" cy="14" r="2"/><circle cx="21" cy="19" r="2"/></g></svg>'

const pageOf = (names: Readonly<Record<'script' | 'style' | 'icon', string>>): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Quipu</title>
<link rel="icon" href="/console/assets/${names.icon}">
<link rel="stylesheet" href="/console/assets/${names.style}">
<script type="module" src="/console/assets/${names.script}"></script>
</head>
<body>
<div id="console"></div>
<noscript>The console needs JavaScript. The command line quipu-admin does everything that it does.</noscript>
</body>
</html>
`
