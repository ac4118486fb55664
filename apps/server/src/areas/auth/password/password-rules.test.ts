import { expect, it } from 'vitest'
import { findPasswordFault } from './password-rules.ts'

const words = ['asha.odhiambo', 'Asha', 'Odhiambo', 'Sunrise Credit', 'SUN']
const fault = (password: string) => findPasswordFault(password, words)

it.each([
  ['fourteen chars', 'kettle-moss-42', /at least 15/],
  ['empty', '', /at least 15/],
  ['129 characters', `${'kettle moss drum '.repeat(8)}`.slice(0, 129).padEnd(129, 'x'), /at most 128/],
  ['one letter', 'aaaaaaaaaaaaaaaaaaaa', /simple pattern/],
  ['two letters', 'abababababababab', /simple pattern/],
  ['a word three times', 'secret1secret1secret1', /simple pattern/],
  ['digits in order', '123456789012345678', /simple pattern/],
  ['the alphabet', 'abcdefghijklmnopq', /simple pattern/],
  ['backwards', 'ponmlkjihgfedcba', /simple pattern/],
  ['the keyboard', 'qwertyuiopasdfghj', /simple pattern/],
  ['a long common password', '1qaz2wsx3edc4rfv', /most common/],
  ['a common one in capitals', '1QAZ2WSX3EDC4RFV', /most common/],
  ['own names', 'AshaOdhiambo2026', /your name/],
  ['names of the company', 'sunrise-credit-26', /your name/],
  ['name and company', 'asha@SunriseCredit!', /your name/],
])('refuses %s', async (_name, password, reason) => {
  expect(await fault(password)).toMatch(reason)
})

it.each([
  ['fifteen characters', 'kettle-moss-421'],
  ['the demo password', 'outpost-demo-2026'],
  [
    '128 characters',
    Array.from({ length: 128 }, (_, index) => String.fromCharCode(97 + ((index * 7 + Math.floor(index / 9)) % 26))).join(''),
  ],
  ['64 characters with spaces', 'a quiet river of late october rain over the old iron bridge yes!'],
  ['letters beyond a to z', 'ñandú über Äpfel größe'],
  ['15 symbols outside the basic plane', '🌍🦒🐘🦓🦁🌴🥁🌊🔥🌙⭐🍍🥭🌽🐆'],
  ['a name within a longer phrase', 'asha walks home at dusk'],
])('takes %s', async (_name, password) => {
  expect(await fault(password)).toBeUndefined()
})
