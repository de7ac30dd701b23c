import { migrate, postgresStores } from '@quipu/postgres'

const url = process.env['DATABASE_URL'] ?? 'postgres://localhost/quipu'
await migrate(url)
const stores = postgresStores({ url })
const { now } = await stores.ping()
const { items } = await stores.tenants.list({ limit: 10 })
console.log(`${now.toISOString()}: ${items.length} tenants`)
await stores.close()
