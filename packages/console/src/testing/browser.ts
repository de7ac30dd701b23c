import { execFileSync } from 'node:child_process'
import { createReadStream, createWriteStream, existsSync, mkdirSync, mkdtempSync } from 'node:fs'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress } from 'node:zlib'
import { type Browser, chromium } from 'playwright-core'

const { resolve } = createRequire(import.meta.url)

/**
 * The archives of the package, and the folder that they are unpacked to once: 190 MB. It is not in a workspace: guards
 * that run meanwhile walk through those.
 */
const archives = path.join(path.dirname(resolve('@sparticuz/chromium')), '../../bin')
const unpacked = path.resolve(import.meta.dirname, '../../../../node_modules/.cache/chromium')

/** For a Linux without fonts. */
const fontsConf = `<fontconfig><dir>${unpacked}/fonts</dir></fontconfig>`

const advice =
  'On Linux x64 it comes from npm and needs glibc 2.34 or newer. Elsewhere install Chrome or Chromium, and name it: CHROMIUM_PATH=/path/to/chrome.'

/** Starts a headless Chromium from npm, with the libraries that a slim Linux lacks; works for any user. */
export async function startBrowser(): Promise<Browser> {
  const { CHROMIUM_PATH, ...env } = process.env
  try {
    const own = CHROMIUM_PATH === undefined ? await unpackedChromium() : undefined
    return await chromium.launch({
      executablePath: own?.program ?? CHROMIUM_PATH ?? '',
      args: ['--no-sandbox', '--disable-gpu', '--headless=shell'],
      env: { ...env, ...own?.env },
      timeout: 0,
    })
  } catch (cause) {
    throw new Error(`The browser cannot start. ${advice}`, { cause })
  }
}

async function unpackedChromium(): Promise<{ program: string; env: Record<string, string> }> {
  if (`${process.platform} ${process.arch}` !== 'linux x64')
    throw new Error(`npm has no Chromium for ${process.platform} ${process.arch}`)
  if (!existsSync(unpacked)) {
    // Unpacked beside and then renamed, so that concurrent processes never see half of it.
    mkdirSync(path.dirname(unpacked), { recursive: true })
    const folder = mkdtempSync(`${unpacked}-`)
    await Promise.all([
      inflate('chromium', path.join(folder, 'chromium')),
      inflate('al2023.tar', path.join(folder, 'libraries.tar')),
      inflate('fonts.tar', path.join(folder, 'fonts.tar')),
    ])
    for (const archive of ['libraries.tar', 'fonts.tar']) execFileSync('tar', ['-xf', archive], { cwd: folder })
    writeFileSync(path.join(folder, 'fonts.conf'), fontsConf)
    moveUnlessThere(folder, unpacked)
  }
  return {
    program: path.join(unpacked, 'chromium'),
    env: {
      LD_LIBRARY_PATH: path.join(unpacked, 'lib'),
      ...(!existsSync('/etc/fonts') && { FONTCONFIG_PATH: unpacked }),
    },
  }
}

const inflate = (name: string, file: string): Promise<void> =>
  pipeline(
    createReadStream(path.join(archives, `${name}.br`)),
    createBrotliDecompress(),
    createWriteStream(file, { mode: 0o755 }),
  )

function moveUnlessThere(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if (!existsSync(to)) throw error
    rmSync(from, { recursive: true })
  }
}
