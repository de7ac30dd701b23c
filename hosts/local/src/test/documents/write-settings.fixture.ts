// Updates the settings table of the handbook: `pnpm --filter @quipu/local generate`.
import { readFileSync, writeFileSync } from 'node:fs'
import { withSettingsTable } from './settings-table.fixture.ts'

const file = new URL('../../../../../docs/operations/settings.md', import.meta.url)
writeFileSync(file, withSettingsTable(readFileSync(file, 'utf8')))
