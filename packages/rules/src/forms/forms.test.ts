import type { FormPage, Question } from '@outpost/contract/web-forms/form'
import { formPages } from '@outpost/contract/web-forms/pages'
import { describe, expect, it } from 'vitest'
import { answeredQuestions, answersText } from './answer-words.ts'
import { askedPages, checkAnswers } from './form-answers.ts'
import { formFaults } from './form-faults.ts'

const kenya = { country: 'KE', currency: 'KES' }
const options = ['rent', 'own'].map((value) => ({ value, label: value === 'rent' ? 'Rents it' : 'Owns it' }))
const page = (questions: Question[], over: Partial<FormPage> = {}): FormPage => ({ key: 'shop', title: 'The shop', questions, ...over })
const shop = page([
  { key: 'home', kind: 'choice', label: 'Home', options, required: true },
  { key: 'rent', kind: 'money', label: 'Rent a month', required: true, min: 1, showWhen: { question: 'home', is: 'equal', value: 'rent' } },
  { key: 'late', kind: 'boolean', label: 'Paid late', showWhen: { question: 'rent', is: 'filled' } },
  { key: 'why', kind: 'longText', label: 'Why late', required: true, showWhen: { question: 'late', is: 'equal', value: true } },
])
const faultsOf = (question: Partial<Question>, value: unknown) =>
  checkAnswers([page([{ key: 'q', kind: 'text', label: 'It', ...question }])], { q: value }, kenya).faults.map(({ message }) => message)
const stored = (question: Partial<Question>, value: unknown) =>
  checkAnswers([page([{ key: 'q', kind: 'text', label: 'It', ...question }])], { q: value }, kenya).values['q']

describe('what is asked', () => {
  const asked = (answers: object) => askedPages([shop], answers as never).flatMap(({ questions }) => questions.map(({ key }) => key))

  it('hangs on the answers before it, and what is hidden counts as empty all the way down', () => {
    expect(asked({})).toEqual(['home'])
    expect(asked({ home: 'rent' })).toEqual(['home', 'rent'])
    expect(asked({ home: 'rent', rent: 900, late: true })).toEqual(['home', 'rent', 'late', 'why'])
    expect(asked({ home: 'own', rent: 900, late: true })).toEqual(['home'])
  })

  it('leaves out pages whose condition does not hold, with their questions, and those that ask nothing', () => {
    const second = page([{ key: 'size', kind: 'number', label: 'Size' }], {
      key: 'more',
      showWhen: { question: 'home', is: 'different', value: 'own' },
    })
    const third = page([{ key: 'area', kind: 'text', label: 'Area', showWhen: { question: 'size', is: 'filled' } }], { key: 'last' })
    const keys = (answers: object) => askedPages([shop, second, third], answers as never).map(({ key }) => key)
    expect(keys({ home: 'own', size: 4 })).toEqual(['shop'])
    expect(keys({ home: 'rent', size: 4 })).toEqual(['shop', 'more', 'last'])
    expect(keys({})).toEqual(['shop', 'more'])
  })

  it('compares several choices by any of them', () => {
    const goods = page([
      { key: 'goods', kind: 'multiChoice', label: 'Goods', options },
      { key: 'extra', kind: 'text', label: 'Extra', showWhen: { question: 'goods', is: 'equal', value: 'own' } },
      { key: 'none', kind: 'text', label: 'None', showWhen: { question: 'goods', is: 'empty' } },
    ])
    const keys = (answers: object) => askedPages([goods], answers as never).flatMap(({ questions }) => questions.map(({ key }) => key))
    expect(keys({ goods: ['rent', 'own'] })).toEqual(['goods', 'extra'])
    expect(keys({ goods: [] })).toEqual(['goods', 'none'])
  })
})

describe('answers', () => {
  it('are stored as far as they are asked, and required as far as they are asked', () => {
    expect(checkAnswers([shop], { home: 'own', rent: 900, late: true, why: 'Rain' }, kenya)).toEqual({
      values: { home: 'own' },
      faults: [],
    })
    expect(checkAnswers([shop], { home: 'rent', rent: 900, late: true }, kenya).faults).toEqual([
      { field: 'answers.why', message: '“Why late” is required' },
    ])
    expect(checkAnswers([shop], {}, kenya).faults).toEqual([{ field: 'answers.home', message: '“Home” is required' }])
  })

  it('to questions that the form does not ask are refused by name, names of every object among them', () => {
    const { faults } = checkAnswers(
      [shop],
      JSON.parse('{"home":"own","colour":"red","constructor":1,"__proto__":{"rent":1}}') as never,
      kenya,
    )
    expect(faults.map(({ field }) => field)).toEqual(['answers.colour', 'answers.constructor', 'answers.__proto__'])
    expect(checkAnswers([page([{ key: 'constructor', kind: 'text', label: 'Built by', required: true }])], {}, kenya).faults).toHaveLength(
      1,
    )
  })

  it('are read as every body of the API: trimmed, numbers and yes or no as text too', () => {
    expect(stored({}, '  Amina  ')).toBe('Amina')
    expect(stored({ kind: 'number' }, ' 12.5 ')).toBe(12.5)
    expect(stored({ kind: 'boolean' }, 'false')).toBe(false)
    expect(stored({ kind: 'email' }, ' A@B.Example ')).toBe('a@b.example')
    expect(
      stored(
        {
          kind: 'choice',
          options: [
            { value: '1', label: 'One' },
            { value: '2', label: 'Two' },
          ],
        },
        2,
      ),
    ).toBe('2')
    expect([stored({}, '   '), stored({ kind: 'number' }, ''), stored({ kind: 'multiChoice', options }, [])]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  it.each<[Partial<Question>, unknown, string[]]>([
    [{ required: true }, ' ', ['“It” is required']],
    [{}, 'x'.repeat(201), ['“It” may hold 200 characters at most']],
    [{}, 'x'.repeat(200), []],
    [{ min: 3 }, 'ab', ['“It” needs at least 3 characters']],
    [{ min: 3 }, '', []],
    [{ maxLength: 2 }, 'abc', ['“It” may hold 2 characters at most']],
    [{}, 'a\0b', ['“It” holds a character that cannot be stored']],
    [{}, '\ud800', ['“It” holds a character that cannot be stored']],
    [{}, 7, ['“It” is not a text']],
    [{ pattern: 'digits' }, '12a', ['“It” may hold digits only']],
    [{ pattern: 'letters' }, 'Señor O’B 1', ['“It” may hold letters only']],
    [{ pattern: 'lettersAndDigits' }, 'KBA 123X', []],
    [{ pattern: 'idNumber' }, '1234567', []],
    [{ pattern: 'idNumber' }, '12', ['“It” is not an identity number']],
    [{ kind: 'number', min: 0, max: 10 }, -0.01, ['“It” may not be under 0']],
    [{ kind: 'number', min: 0, max: 10 }, 10, []],
    [{ kind: 'number', min: 0, max: 10 }, 10.5, ['“It” may not be over 10']],
    [{ kind: 'number' }, 1e13, ['“It” is too large']],
    [{ kind: 'number' }, '1e3', ['“It” is not a number']],
    [{ kind: 'number' }, Number.NaN, ['“It” is not a number']],
    [{ kind: 'money' }, 10.555, ['“It” may hold 2 decimals at most in KES']],
    [{ kind: 'money' }, 999_999_999_999, []],
    [{ kind: 'date' }, '2026-02-30', ['“It” is not a date (YYYY-MM-DD)']],
    [{ kind: 'date', earliest: '2026-01-02' }, '2026-01-01', ['“It” may not be before 2026-01-02']],
    [{ kind: 'date', latest: '2026-01-02' }, '2026-01-03', ['“It” may not be after 2026-01-02']],
    [{ kind: 'date', earliest: '2026-01-02', latest: '2026-01-02' }, '2026-01-02', []],
    [{ kind: 'choice', options }, 'lease', ['“It” is not one of the options']],
    [{ kind: 'multiChoice', options }, ['own', 'own'], ['“It” names an option twice']],
    [{ kind: 'multiChoice', options }, 'own', ['“It” is not one of the options']],
    [{ kind: 'multiChoice', options, min: 2 }, ['own'], ['“It” needs 2 options at least']],
    [{ kind: 'multiChoice', options, max: 1 }, ['own', 'rent'], ['“It” may have 1 options at most']],
    [{ kind: 'boolean' }, 'perhaps', ['“It” is neither yes nor no']],
    [{ kind: 'boolean', required: true }, false, []],
    [{ kind: 'phone' }, '07x', ['“It” is not a phone number']],
    [{ kind: 'phone' }, '+254 712 345 678', []],
    [{ kind: 'email' }, 'a@b', ['“It” is not an e-mail address']],
    [{ kind: 'location' }, 'Behind the mosque', []],
    [{ kind: 'location' }, '-1.28, 36.82', []],
    [{ kind: 'location' }, '0, 36.82', ['“It” is no position: latitude up to 90, longitude up to 180, neither zero']],
    [{ kind: 'location' }, { latitude: 1 }, ['“It” is not a place']],
  ])('of %j: %j', (question, value, faults) => {
    expect(faultsOf(question, value)).toEqual(faults)
  })

  it('of money have the decimals of the currency', () => {
    const pages = [page([{ key: 'q', kind: 'money', label: 'It' }])]
    expect(checkAnswers(pages, { q: 10.5 }, { country: 'UG', currency: 'UGX' }).faults).toHaveLength(1)
  })

  it('are told in words, in the order of the form', () => {
    const answers = { late: false, rent: 900, home: 'rent' }
    expect(answeredQuestions([shop], answers)).toEqual([
      { page: 'The shop', question: 'Home', answer: 'Rents it', files: [] },
      { page: 'The shop', question: 'Rent a month', answer: '900', files: [] },
      { page: 'The shop', question: 'Paid late', answer: 'No', files: [] },
    ])
    expect(answersText([shop], answers)).toBe('Home: Rents it\nRent a month: 900\nPaid late: No')
  })
})

describe('a form', () => {
  const fieldsOf = (pages: FormPage[]) => formFaults(pages).map(({ field }) => field)

  it('that can be filled in has no faults', () => {
    expect(formFaults([shop])).toEqual([])
    expect(formPages.safeParse([shop]).success).toBe(true)
  })

  it('names each part that contradicts itself, with the question in words', () => {
    expect(
      formFaults([
        page([
          {
            key: 'a',
            kind: 'choice',
            label: 'Colour',
            options: [
              { value: 'x', label: 'Red' },
              { value: 'y', label: 'Red' },
            ],
          },
        ]),
      ]),
    ).toEqual([{ field: 'pages.0.questions.0.options.1.label', message: '“Colour”: “Red” is there twice' }])
    expect(formFaults([page([{ key: 'a', kind: 'text', label: ' ' }])])).toEqual([
      { field: 'pages.0.questions.0.label', message: 'Question 1 of page 1: it needs a label' },
    ])
    expect(fieldsOf([page([], { title: '' })])).toEqual(['pages.0.title', 'pages.0.questions'])
  })

  it.each<[string, Partial<Question>, string]>([
    ['bounds upside down', { kind: 'number', min: 2, max: 1 }, 'max'],
    ['days upside down', { kind: 'date', earliest: '2026-01-02', latest: '2026-01-01' }, 'latest'],
    ['a text shorter than its shortest', { min: 5, maxLength: 4 }, 'maxLength'],
    ['a text longer than any text', { min: 201 }, 'maxLength'],
    ['half a character', { min: 1.5 }, 'min'],
    ['half an option', { kind: 'multiChoice', options, min: 0.5 }, 'min'],
    ['more options than there are', { kind: 'multiChoice', options, min: 3 }, 'min'],
    ['a choice of one', { kind: 'choice', options: [{ value: 'x', label: 'X' }] }, 'options'],
    ['a condition on itself', { showWhen: { question: 'b', is: 'filled' } }, 'showWhen'],
    ['a condition on a later question', { showWhen: { question: 'c', is: 'filled' } }, 'showWhen'],
    ['a condition without a value', { showWhen: { question: 'a', is: 'equal' } }, 'showWhen'],
    ['a condition on an option that is not there', { showWhen: { question: 'a', is: 'equal', value: 'lease' } }, 'showWhen'],
    ['the key of another question', { key: 'a' }, 'key'],
  ])('refuses %s', (_, question, field) => {
    const pages = [
      page([
        { key: 'a', kind: 'choice', label: 'First', options },
        { key: 'b', kind: 'text', label: 'Second', ...question },
        { key: 'c', kind: 'text', label: 'Third' },
      ]),
    ]
    expect(fieldsOf(pages)).toEqual([`pages.0.questions.1.${field}`])
  })

  it('asks 200 questions at most over all of its pages', () => {
    const many = (key: string) =>
      Array.from({ length: 101 }, (_, index): Question => ({ key: `${key}${index}`, kind: 'text', label: 'It' }))
    expect(fieldsOf([page(many('a')), page(many('b'), { key: 'other' })])).toEqual(['pages'])
  })
})

describe('files as answers', () => {
  const id = (n: number) => `0199aaaa-0000-7000-8000-00000000000${n}`
  const picture = (n: number, over: object = {}) => ({ Id: id(n), name: `front ${n}.jpg`, mimeType: 'image/jpeg', size: 900, ...over })
  const ask = (question: Partial<Question>): FormPage[] => [
    { key: 'p', title: 'P', questions: [{ key: 'q', kind: 'photo', label: 'Front', ...question }] },
  ]
  const check = (question: Partial<Question>, value: unknown) => {
    const { values, faults } = checkAnswers(ask(question), { q: value }, { country: 'KE', currency: 'KES' })
    return faults[0]?.message ?? values['q']
  }

  it('are kept as Id, name, type and size, and told by their names', () => {
    const sent = [picture(1, { Id: id(1).toUpperCase(), secret: 'no' }), picture(2)]
    expect(check({}, sent)).toEqual([picture(1), picture(2)])
    expect(answersText(ask({}), { q: [picture(1), picture(2)] })).toBe('Front: front 1.jpg, front 2.jpg')
    expect(check({ required: true }, [])).toBe('“Front” is required')
  })

  it.each([
    ['text', 'is no list of files'],
    [[{ Id: 'x', name: 'a', mimeType: 'image/png', size: 1 }], 'is no list of files'],
    [[picture(1, { size: -1 })], 'is no list of files'],
    [[picture(1, { name: 'a\0b' })], 'is no list of files'],
    [[picture(1), picture(1)], 'names a file twice'],
    [[picture(1, { mimeType: 'application/pdf' })], 'is not a picture'],
    [[picture(1), picture(2), picture(3)], 'may have 2 files at most'],
  ])('are refused: %j', (value, message) => {
    expect(check({ max: 2 }, value)).toBe(`“Front” ${message}`)
  })

  it('are as many as the form says, and ten at most', () => {
    expect(check({ min: 2 }, [picture(1)])).toBe('“Front” needs 2 files at least')
    expect(formFaults(ask({ max: 11 })).map(({ message }) => message)).toEqual(['“Front”: it may have 10 files at most'])
    expect(formFaults(ask({ min: 3, max: 2 }))).toHaveLength(1)
    expect(formFaults(ask({ max: 1.5 }))).toHaveLength(1)
    expect(check({ kind: 'file' }, [picture(1, { mimeType: 'application/pdf' })])).toHaveLength(1)
  })

  it('of a signature are one picture, or a name that was typed', () => {
    expect(check({ kind: 'signature' }, [picture(1)])).toEqual([picture(1)])
    expect(check({ kind: 'signature' }, ' Neema Kiosk ')).toBe('Neema Kiosk')
    expect(check({ kind: 'signature' }, [picture(1), picture(2)])).toBe('“Front” may have one file only')
    expect(check({ kind: 'signature' }, 7)).toBe('“Front” is no list of files')
    const words = (value: unknown) => answersText(ask({ kind: 'signature' }), { q: value })
    expect([words('Neema'), words([picture(1)])]).toEqual(['Front: Signed as Neema', 'Front: Signed by hand'])
  })

  it('are what a condition asks for only by being there', () => {
    const pages = (is: 'filled' | 'equal'): FormPage[] => [
      {
        key: 'p',
        title: 'P',
        questions: [
          { key: 'q', kind: 'photo', label: 'Front' },
          { key: 'why', kind: 'text', label: 'Why', showWhen: { question: 'q', is, ...(is === 'equal' ? { value: 'x' } : {}) } },
        ],
      },
    ]
    expect(formFaults(pages('filled'))).toEqual([])
    expect(formFaults(pages('equal'))).toHaveLength(1)
  })
})
