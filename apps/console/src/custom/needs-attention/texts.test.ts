import { afterEach, expect, it } from 'vitest'
import { setLanguage } from '../../session/labels.ts'
import { sentence } from '../../view/kinds/form/useFieldForm.ts'
import { reasonText } from './texts.ts'

const dutch = {
  Phone: 'Telefoon',
  'is taken': 'is bezet',
  'This lead is a client already.': 'Deze lead is al klant.',
  'is required': 'én wel verplicht',
}

afterEach(() => setLanguage('en'))

it('why a change was refused is said in the language, field by field where the office names fields', async () => {
  const reason = (message: string) => reasonText({ entityType: 'lead', message })
  expect(reason('phonenumber: is taken; emailAddress: is taken')).toBe('Phone is taken; E-mail is taken')
  await setLanguage('nl', { nl: () => Promise.resolve(dutch) })
  expect(
    ['phonenumber: is taken', 'nobody: is taken', 'This lead is a client already.', 'phonenumber: is taken; more', ''].map(reason),
  ).toEqual(['Telefoon is bezet', 'nobody: is taken', 'Deze lead is al klant.', 'phonenumber: is taken; more', ''])
})

it('a sentence has its label before it where its first letter is no plain one too', () => {
  expect([sentence('Telefone', 'é obrigatório'), sentence('Phone', 'This is a sentence.')]).toEqual([
    'Telefone é obrigatório',
    'This is a sentence.',
  ])
})
