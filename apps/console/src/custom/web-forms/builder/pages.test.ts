import type { FormPage, Question } from '@outpost/contract/web-forms/form'
import { formPages } from '@outpost/contract/web-forms/pages'
import { formFaults } from '@outpost/rules/forms/form-faults'
import { describe, expect, it } from 'vitest'
import {
  addQuestion,
  allQuestions,
  cleaned,
  dropQuestion,
  duplicateQuestion,
  faultsByPart,
  newPage,
  newQuestion,
  questionsBefore,
  stepPage,
  stepQuestion,
  withKind,
} from './pages.ts'

const question = (key: string): Question => ({ key, kind: 'text', label: key })
const page = (key: string, ...keys: string[]): FormPage => ({ key, title: key, questions: keys.map(question) })
const two = [page('one', 'a', 'b'), page('two', 'c')]
const shape = (pages: readonly FormPage[]) => pages.map(({ questions }) => questions.map(({ key }) => key).join(''))

describe('the pages of a form that is built', () => {
  it('take a question up and down, over the ends of pages, and no further', () => {
    expect(shape(stepQuestion(two, 'a', 1))).toEqual(['ba', 'c'])
    expect(shape(stepQuestion(two, 'b', 1))).toEqual(['a', 'bc'])
    expect(shape(stepQuestion(two, 'c', -1))).toEqual(['abc', ''])
    expect(shape(stepQuestion(two, 'a', -1))).toEqual(['ab', 'c'])
    expect(shape(stepQuestion(two, 'c', 1))).toEqual(['ab', 'c'])
    expect(shape(stepQuestion(two, 'nothing', 1))).toEqual(['ab', 'c'])
  })

  it('take a question where another one is', () => {
    expect(shape(dropQuestion(two, 'a', 'b'))).toEqual(['ba', 'c'])
    expect(shape(dropQuestion(two, 'a', 'c'))).toEqual(['b', 'ac'])
    expect(shape(dropQuestion(two, 'a', 'nothing'))).toEqual(['ab', 'c'])
  })

  it('change places themselves', () => {
    expect(shape(stepPage(two, 'two', -1))).toEqual(['c', 'ab'])
    expect(shape(stepPage(two, 'one', -1))).toEqual(['ab', 'c'])
  })

  it('copy a question under a key of its own, right behind it', () => {
    const { pages, key } = duplicateQuestion(two, 'a')
    expect(shape(pages)[0]).toBe(`a${key}b`)
    expect(allQuestions(pages).find((one) => one.key === key)?.label).toBe('a')
    expect(formFaults(pages)).toEqual([])
  })

  it('know what is before a question or a page', () => {
    expect(questionsBefore(two, 'c').map(({ key }) => key)).toEqual(['a', 'b'])
    expect(questionsBefore(two, 'two').map(({ key }) => key)).toEqual(['a', 'b'])
    expect(questionsBefore(two, 'a')).toEqual([])
  })

  it('are sent as the server takes them: without what is empty, or is of another kind', () => {
    const begun = addQuestion([newPage('First')], '', newQuestion('text'))
    expect(begun[0]?.questions).toEqual([])
    const choice = { ...newQuestion('choice'), label: ' Colour ', help: ' ', min: 4, pattern: 'digits' as const, required: false }
    const options = choice.options?.map((option, place) => ({ ...option, label: `Option ${place}` }))
    const sent = cleaned([{ ...newPage(' First '), hint: ' ', questions: [{ ...choice, ...(options ? { options } : {}) }] }])
    expect(sent[0]).toMatchObject({ title: 'First', questions: [{ label: 'Colour', kind: 'choice' }] })
    expect(Object.keys(sent[0]?.questions[0] ?? {}).toSorted()).toEqual(['key', 'kind', 'label', 'options'])
    expect(Object.hasOwn(sent[0] ?? {}, 'hint')).toBe(false)
    expect(formPages.safeParse(sent).success).toBe(true)
    const asText = cleaned([{ ...newPage('x'), questions: [withKind(choice, 'text')] }])
    expect(asText[0]?.questions[0]).toMatchObject({ kind: 'text', min: 4, pattern: 'digits' })
    expect(asText[0]?.questions[0]?.options).toBeUndefined()
  })

  it('have the faults of each part beside it', () => {
    const faults = [
      { field: 'pages.0.questions.1.label', message: 'a' },
      { field: 'pages.1.title', message: 'b' },
      { field: 'pages.1.questions', message: 'c' },
      { field: 'name', message: 'd' },
    ]
    expect([...faultsByPart(two, faults)]).toEqual([
      ['b', ['a']],
      ['two', ['b', 'c']],
      ['', ['d']],
    ])
  })
})
