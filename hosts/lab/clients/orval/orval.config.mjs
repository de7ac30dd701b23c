const output = { target: 'client/quipu.ts', client: 'fetch', baseUrl: process.env.QUIPU_API_URL }
export default { quipu: { input: '../openapi.json', output } }
