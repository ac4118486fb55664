import { glob, readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

test('no form leaves its words to the browser, whose bubbles speak another language and hide what is below', async () => {
  const root = resolve(import.meta.dirname, '../../apps/console/src')
  const forms: string[] = []
  for await (const file of glob('**/*.tsx', { cwd: root })) {
    const text = await readFile(resolve(root, file), 'utf8')
    forms.push(...[...text.matchAll(/<form(?=\s)[^>]*|<Form(?=\s)[^>]*/g)].map(([tag]) => `${file}: ${tag.replaceAll(/\s+/g, ' ')}`))
  }
  expect(forms.length).toBeGreaterThan(15)
  expect(forms.filter((tag) => !tag.includes(' noValidate'))).toEqual([])
})
