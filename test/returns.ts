/** The form with which a customer asks to return frames. */
export function createReturnForm(
  frameIds: string[],
  { photo, ...fields }: { reason?: string; words?: string; key?: string; photo?: Buffer } = {},
): FormData {
  const form = new FormData();
  const values = { reason: 'damaged', words: 'The glass has a crack.', key: crypto.randomUUID(), ...fields };
  for (const [name, value] of Object.entries({ frameIds: frameIds.join(','), ...values })) form.append(name, value);
  if (photo) form.append('photo', new Blob([new Uint8Array(photo)], { type: 'image/jpeg' }), 'crack.jpg');
  return form;
}

/** The form with which the owner approves a return. */
export function createApprovalForm(
  fields: { answer?: string; labelLink?: string; tellCustomer?: string; key?: string } = {},
  label?: Buffer,
): FormData {
  const form = new FormData();
  const values = { answer: 'Please send it back.', tellCustomer: 'true', key: crypto.randomUUID(), ...fields };
  for (const [name, value] of Object.entries(values)) form.append(name, value);
  if (label) form.append('label', new Blob([new Uint8Array(label)], { type: 'application/pdf' }), 'label.pdf');
  return form;
}

export const labelPdf = Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n');
