import { useQuery } from '@tanstack/react-query'
import type { FieldError } from '@outpost/contract/errors'
import type { Answers } from '@outpost/contract/web-forms/form'
import { checkAnswers, type AnswerPlace } from '@outpost/rules/forms/form-answers'
import type { Row } from '../../../data/records.ts'
import { currentOffline } from '../../../offline/current.ts'
import { recordOf } from '../questions.ts'
import type { FormVersion } from '../version.ts'

/** A filled form that the office refused, as it was filled in; it waits on this device until somebody decides. */
export interface RefusedForm {
  id: string
  mine: Row
  message: string
}

/** The refused form of an address; null when it was dealt with meanwhile, or none is named. */
export const useRefusedForm = (id: string | undefined) =>
  useQuery({
    queryKey: ['attention', 'form', id ?? ''],
    networkMode: 'always',
    queryFn: async (): Promise<RefusedForm | null> => {
      const waiting = (id && (await currentOffline()?.store.attention.list())) || []
      const found = waiting.find(({ entityType, entityId }) => entityType === 'webFormAnswer' && entityId === id)
      return found ? { id: found.entityId, mine: found.mine, message: found.message.replaceAll(/answers\.\w+: /g, '') } : null
    },
  })

export const answersIn = ({ mine }: RefusedForm): Answers => (mine.answers ?? {}) as Answers

/** What was filled in, as the fields of the form hold it. */
export const valuesOf = ({ pages }: FormVersion, refused: RefusedForm): Row => ({ ...refused.mine, ...recordOf(pages, answersIn(refused)) })

/** The questions that the office named: as this device finds them, else as they are named in the words of the refusal. */
export function faultsOf({ pages }: FormVersion, refused: RefusedForm, place: AnswerPlace): FieldError[] {
  const { faults } = checkAnswers(pages, answersIn(refused), place)
  if (faults.length > 0) return faults
  return pages
    .flatMap(({ questions }) => questions)
    .filter(({ label }) => refused.message.includes(`“${label}”`))
    .map(({ key }) => ({ field: `answers.${key}`, message: refused.message }))
}
