import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { notices } from '../../scripts/notices.ts'

const root = resolve(import.meta.dirname, '../..')

it('NOTICE.md names what the lock file holds (npm run notices writes it)', async () => {
  expect(await readFile(resolve(root, 'NOTICE.md'), 'utf8')).toBe(await notices())
})

it('nothing that runs is under a licence that would bind Outpost itself', async () => {
  // GPL, AGPL and SSPL would; "or" leaves a choice.
  const bound = [...(await notices()).matchAll(/^## (.*(?:GPL|SSPL).*)$/gm)]
    .map(([, licence = '']) => licence)
    .filter((licence) => !licence.includes(' OR '))
  expect(bound).toEqual([])
})
