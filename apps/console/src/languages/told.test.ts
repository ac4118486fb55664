import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type * as Labels from '../session/labels.ts'
import { createTold } from './told.ts'

describe('a sentence of the server with values in it', () => {
  let labels: typeof Labels
  const t = (text: string) => labels.t(text)
  // Labels of its own: other tests bring bundles of theirs under the same codes.
  beforeAll(async () => {
    vi.resetModules()
    labels = await import('../session/labels.ts')
  })
  afterAll(() => {
    vi.resetModules()
  })
  beforeEach(async () => {
    labels.setLabels([])
    await labels.setLanguage('fr')
  })

  it('is said in the language, its names, numbers and amounts as they were', () => {
    expect([
      t('This client was asked 3 times today. Try again tomorrow.'),
      t('may be 4000.00 at most'),
      t('Ann O’Neill gave you the task “Call Mr. Kamau”'),
      t('The lead is Won already.'),
      t('The storage of your company is full: 5 GB of 5 GB are used, 12 kB more do not fit.'),
      t('no such sentence of 3 words'),
    ]).toEqual([
      'Ce client a été sollicité 3 fois aujourd’hui. Réessayez demain.',
      'peut être au plus 4000.00',
      'Ann O’Neill vous a donné la tâche « Call Mr. Kamau »',
      `Le prospect est déjà « ${t('Won')} ».`,
      'L’espace de stockage de votre société est plein : 5 GB sur 5 GB sont utilisés, 12 kB de plus n’y tiennent pas.',
      'no such sentence of 3 words',
    ])
  })

  it('has the plural of its language, and both English forms lead to it', () => {
    expect(
      [
        '1 stop planned for you: North',
        '3 stops planned for you: North',
        '1 files added',
        'This lead has 1 open application. Bring that to its end first.',
      ].map((one) => t(one)),
    ).toEqual([
      '1 arrêt planifié pour vous : North',
      '3 arrêts planifiés pour vous : North',
      '1 fichier ajouté',
      'Ce prospect a 1 demande ouverte. Menez-la d’abord à son terme.',
    ])
  })

  it('takes what people wrote as it is: signs of templates, markup, words of ours, other sentences', () => {
    const odd = '{{count}} $t(Lead) <b>$&</b> $1'
    expect([`You were given “${odd}”`, 'Lead has this task already.', 'You were given “3 files added”'].map((one) => t(one))).toEqual([
      `On vous a donné « ${odd} »`,
      'Lead a déjà cette tâche.',
      'On vous a donné « 3 files added »',
    ])
  })

  it('says the words of ours in it in the language too, one by one where they are a list', () => {
    expect([
      t('This client has 1 loan that is not closed, 2 open applications and 1 payout under way. Bring that to its end first.'),
      t('Both clients are back as they were.'),
      t('The client has withdrawn consent.'),
      t('3 leads given to you by mistake were taken back'),
    ]).toEqual([
      'Ce client a : 1 prêt non clos, 2 demandes ouvertes et 1 versement en cours. Menez cela d’abord à son terme.',
      'Les deux (clients) sont revenus comme avant.',
      'Le client a retiré son consentement.',
      '3 prospects : donnés par erreur, repris',
    ])
  })

  it('may stand beside others', () => {
    expect(
      ['Papers are missing: ID. The assessment came to FAIL.', 'Papers are missing: ID. Nobody knows this one.'].map((one) => t(one)),
    ).toEqual(['Il manque des papiers : ID. L’évaluation a donné : ÉCHEC.', 'Il manque des papiers : ID. Nobody knows this one.'])
  })

  it('is none where only the beginning or the end fits, a number is none, or a phrase in it is not known', () => {
    for (const text of [
      'You were given “North',
      'were given “North”',
      'many files added',
      'may be at most',
      'The client Ann Kamau.',
      '3files added',
      'Sunrise',
    ])
      expect(t(text)).toBe(text)
  })

  it('stays English in English, and goes back to it', async () => {
    expect(t('3 files added')).toBe('3 fichiers ajoutés')
    await labels.setLanguage('en')
    expect(t('3 files added')).toBe('3 files added')
  })

  it('has the company’s words in it', () => {
    labels.setLabels([{ language: 'fr', label: 'Groups', value: 'Brigades' }])
    expect(t('Both groups are back as they were.')).toBe('Les deux (brigades) sont revenus comme avant.')
  })

  it.each([
    ['pt', '3 ficheiros acrescentados'],
    ['sw', 'Faili 3 zimeongezwa'],
  ])('is there in %s for people in the field', async (code, said) => {
    await labels.setLanguage(code)
    expect(t('3 files added')).toBe(said)
  })
})

describe('the pattern of a sentence', () => {
  const find = createTold({ 'must be {{code}}': '', 'must be one of {{options}}': '', '{{one}} and {{other}}': '' }, {})

  it('is the most particular of those that fit', () => {
    expect(find('must be one of a, b').map(({ key }) => key)).toEqual(['must be one of {{options}}', 'must be {{code}}'])
  })

  it('looks through a text that nearly fits many times once', () => {
    // Tried in all ways, as by a regular expression, this would not come to an end.
    const many = createTold({ '{{a}} and {{b}} and {{c}} and {{d}} and {{e}} and {{f}} or else': '' }, {})
    expect(many(' and '.repeat(20_000))).toEqual([])
  })
})
