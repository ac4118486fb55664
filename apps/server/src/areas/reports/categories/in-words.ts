import { Failure } from '@outpost/contract/errors'
import type { Operation } from '../../../kernel/types.ts'

/** The operation with all that it refuses said by one sentence of the specification; code and status stay, and what is wrong is with the fields. */
export const inWords = <Input>(message: string, operation: Operation<Input>): Operation<Input> => ({
  ...operation,
  run: async (ctx, input, facts) => {
    try {
      return await operation.run(ctx, input, facts)
    } catch (error) {
      throw error instanceof Failure ? said(message, error) : error
    }
  },
})

function said(message: string, { error, more, message: why }: Failure): Failure {
  const isPlain = more.fields !== undefined || why === error.message
  return new Failure(error, { ...more, message, ...(isPlain ? {} : { fields: [{ field: 'id', message: why }] }) })
}
