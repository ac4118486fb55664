import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { createAreas } from '../../apps/server/src/areas/index.ts'

const root = resolve(import.meta.dirname, '../../apps/server/src')
/** With the one by which the queue itself ends others. */
const known = new Set([
  'jobs.dead',
  ...createAreas({ mail: {}, files: {}, env: {} } as never).flatMap(({ jobs }) => jobs.map(({ name }) => name)),
])

/** Names of the jobs that a file asks for: the `type` of what it enqueues, written out or by a constant of the file. */
function askedFor(source: string): string[] {
  const constants = new Map([...source.matchAll(/const (\w+) = '(\w+\.\w+)'/g)].map(([, name, value]) => [name, value]))
  const types = [...source.matchAll(/userId: [^,\n]+,\s*(?:\w+: [^,\n]+,\s*)?type(?:: (?:'(\w+\.\w+)'|(\w+)))?,/g)]
  const asks = [...source.matchAll(/enqueueJob\(\w+, (?:'(\w+\.\w+)'|(\w+))/g)]
  return [...types, ...asks].flatMap(([, said, name = 'type']) => said ?? constants.get(name) ?? [])
}

test('whatever is enqueued is a job that workers know', () => {
  const asked = globSync('**/*.ts', { cwd: root })
    .filter((path) => !path.includes('.test.'))
    .flatMap((path) => askedFor(readFileSync(resolve(root, path), 'utf8')))
  expect(new Set(asked).size).toBeGreaterThan(15)
  expect([...new Set(asked)].filter((name) => !known.has(name))).toEqual([])
})

test('the rule sees what it is for', () => {
  expect(
    askedFor(`const type = 'a.one'
const other = 'b.two'
enqueue(sql, { companyId, userId: null, type, payload })
enqueue(sql, { companyId, userId: ctx.user.id, type: other, payload })
enqueue(sql, { companyId, userId: null, type: 'c.three', payload })
enqueueJob(ctx, other)
enqueueJob(ctx, 'd.four', { id })`),
  ).toEqual(['a.one', 'b.two', 'c.three', 'b.two', 'd.four'])
})
