import { fastify } from 'fastify'
import pg from 'pg'

/**
 * The least a list can be: Fastify, one route, one prepared statement whose JSON Postgres builds and we pass through.
 * No session, no permission, no row-level security (it connects as the superuser).
 */
const { BARE_DATABASE_URL: connectionString, BARE_TEXT: text = '', BARE_COMPANY: company, BARE_META: meta } = process.env
const pool = new pg.Pool({ connectionString, max: 8 })
const app = fastify()
app.get('/leads', async (_request, reply) => {
  const { rows } = await pool.query<[string]>({ name: 'leads', text, values: [company], rowMode: 'array' })
  return reply.type('application/json').send(`{"success":true,"data":{"leads":${rows[0]?.[0] ?? '[]'}},"meta":${meta}}`)
})
process.once('disconnect', () => process.exit())
process.send?.({ url: await app.listen({ port: 0 }) })
