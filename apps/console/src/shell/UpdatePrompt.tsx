import { Modal } from 'antd'
import { useState } from 'react'
import { t } from '../session/labels.ts'

/** Tells of a new version in the specification's words; only OK reloads, so no half-filled form is ever lost. */
export function UpdatePrompt({ reload, onCancel }: { reload: () => Promise<void>; onCancel: () => void }) {
  const [isBusy, setBusy] = useState(false)
  const accept = (): void => {
    setBusy(true)
    // The browser asks before unsaved entries are lost: whoever stays may choose again.
    void reload().finally(() => setBusy(false))
  }
  return (
    <Modal
      open
      title={t('Update Available')}
      okText={t('OK')}
      cancelText={t('Cancel')}
      onOk={accept}
      onCancel={onCancel}
      confirmLoading={isBusy}
    >
      <p>{t("A new update is available. Click 'OK' to reload now, or cancel to save your work!")}</p>
    </Modal>
  )
}
