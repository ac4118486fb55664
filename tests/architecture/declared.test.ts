import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { isGuardedPath } from '../../apps/console/src/shell/paths.ts'
import type { Area } from '../../apps/server/src/kernel/types.ts'
import { declaredAreas } from '../../scripts/areas.ts'

const root = resolve(import.meta.dirname, '../..')

/** What the code of the areas makes with a function, by area and name. */
const made = (by: string) =>
  globSync('apps/server/src/areas/**/*.ts', { cwd: root })
    .flatMap((path) =>
      [...readFileSync(resolve(root, path), 'utf8').matchAll(new RegExp(`\\b${by}\\('(\\w+)'`, 'g'))].map(
        ([, name]) => `${path.split('/')[4]}: ${name}`,
      ),
    )
    .toSorted()

const said = async (read: (area: Area) => readonly { name: string }[]) =>
  (await declaredAreas()).flatMap((area) => read(area).map(({ name }) => `${area.name}: ${name}`)).toSorted()

test('an area declares each error it makes', async () => {
  expect(made('defineError')).toContain('leads: DUPLICATE_LEAD')
  expect(await said(({ errors }) => errors)).toEqual(made('defineError'))
})

test('an area declares each kind of news it makes', async () => {
  expect(made('notificationKind')).toContain('leads: leads')
  // The kernel's own kinds are offered by the area of notifications.
  expect(await said(({ notifications }) => notifications)).toEqual(
    [...made('notificationKind'), 'notifications: comments', 'notifications: other'].toSorted(),
  )
})

test('what targets may count is in its order, each metric with one source', async () => {
  const metrics = (await declaredAreas()).flatMap((area) => area.metrics)
  expect(
    metrics
      .toSorted((a, b) => a.order - b.order)
      .map(({ name }) => name)
      .slice(0, 2),
  ).toEqual(['leads.created', 'leads.contacted'])
  expect(new Set(metrics.map(({ order }) => order)).size).toBe(metrics.length)
})

test('whoever opens a screen without a session is led to the sign-in, and back', async () => {
  const paths = (await declaredAreas()).flatMap((area) => area.screens.map(({ path }) => path))
  expect(paths.length).toBeGreaterThan(200)
  expect(paths.filter((path) => !isGuardedPath(path))).toEqual([])
})
