import { expect, test } from 'vitest'
import { defineArea } from '../../apps/server/src/kernel/area.ts'
import { defineResource } from '../../apps/server/src/kernel/resource/define.ts'
import { testApp } from '../support/app.ts'

const label = (hasSearchIndex: boolean) =>
  defineResource({
    model: 'languageLabel',
    one: 'label',
    many: 'labels',
    label: 'Label',
    labelMany: 'Labels',
    title: 'label',
    hasSearchIndex,
    fields: { label: { kind: 'text', label: 'Label' } },
    list: { columns: ['label'], sort: ['label', 'ASC'], size: 10 },
  })

test('the server refuses to start when something is searched that the database has no function for', async () => {
  const place = { resource: label(false), anyOf: [], subtitle: 'null', open: '/labels/', order: 10 } as const
  await expect(testApp({ areas: () => [defineArea({ name: 'labels', resources: [label(false)], palette: [place] })] })).rejects.toThrow(
    'label declares palette, and the database has no function search.language_label(text, integer): a migration makes it.',
  )
  await expect(testApp({ areas: () => [defineArea({ name: 'labels', resources: [label(true)] })] })).rejects.toThrow(
    'label declares hasSearchIndex, and the database has no function search.language_label(text, integer)',
  )
})
