import { createContext, use, type PropsWithChildren } from 'react'
import { Modal } from 'antd'

type ModalCalls = ReturnType<typeof Modal.useModal>[0]

const ModalContext = createContext<ModalCalls | null>(null)

/** Where dialogs asked for by `useModal` appear. antd's App would bring its messages and notifications with it, which the shell does without. */
export function ModalHost({ children }: PropsWithChildren) {
  const [modal, place] = Modal.useModal()
  return (
    <ModalContext value={modal}>
      {children}
      {place}
    </ModalContext>
  )
}

/** Shows questions and messages in a dialog, in the theme and language of the page. Throws outside a ModalHost. */
export function useModal(): ModalCalls {
  const modal = use(ModalContext)
  if (!modal) throw new Error('There is no ModalHost around this component.')
  return modal
}
