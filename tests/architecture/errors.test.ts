import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { declaredAreas } from '../../scripts/areas.ts'

const root = resolve(import.meta.dirname, '../..')

/** Errors that are made in the code of an area, by the area. */
const made = () => globSync('apps/server/src/areas/**/*.ts', { cwd: root }).flatMap((path) =>
  [...readFileSync(resolve(root, path), 'utf8').matchAll(/defineError\('(\w+)'/g)].map(([, name]) => `${path.split('/')[4]}: ${name}`))

test('an area declares each error it makes', async () => {
  expect(made().toSorted()).toEqual((await declaredAreas()).flatMap(({ name: area, errors }) => errors.map(({ name }) => `${area}: ${name}`)).toSorted())
})
