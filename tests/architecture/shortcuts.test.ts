import { globSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = new URL('../../apps/console/src/', import.meta.url).pathname
const read = (file: string) => readFileSync(`${root}${file}`, 'utf8')
const files = globSync('**/*.{ts,tsx}', { cwd: root }).filter((file) => !/\.(?:test|shortcuts|generated)\.tsx?$/.test(file))
const declared = globSync('**/*.shortcuts.ts', { cwd: root }).map((file) => ({
  folder: dirname(file),
  keys: [...read(file).matchAll(/keys: \[([^\]]+\]?'?)\]/g)].flatMap(([, keys = '']) =>
    [...keys.matchAll(/'([^']+)'/g)].map(([, key = '']) => key),
  ),
}))

/** Keys that a file compares what was pressed with: letters, signs and function keys; arrows, Enter and Escape do what they do anywhere. */
const listensFor = (source: string) =>
  [...source.matchAll(/\bkey(?:\.toLowerCase\(\))? [!=]== '(.|F\d|Delete)'/g)].map(([, key = '']) => key).filter((key) => key !== ' ')

/** Whether a shortcut of the same folder, or one above, says this key. */
const isDeclared = (file: string, key: string) =>
  declared
    .filter(({ folder }) => `${dirname(file)}/`.startsWith(`${folder}/`))
    .some(({ keys }) => keys.some((one) => one.split(' ').at(-1)?.toLowerCase() === key.toLowerCase()))

describe('keys', () => {
  it('are all in the keyboard help, declared beside what listens for them', () => {
    const heard = files.flatMap((file) => listensFor(read(file)).map((key) => ({ file, key })))
    expect(heard.length).toBeGreaterThan(15)
    expect(heard.filter(({ file, key }) => !isDeclared(file, key))).toEqual([])
  })

  it('are found', () => {
    expect(listensFor(`if (event.key === 'q' || key !== 'F4' || event.key.toLowerCase() === 'k' || event.key === 'Enter') go()`)).toEqual([
      'q',
      'F4',
      'k',
    ])
  })
})
