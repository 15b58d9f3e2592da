const labelsByMaker: Record<string, string> = {
  local: 'this computer',
  replicate: 'hosted model',
  comfyui: 'ComfyUI server',
  hand: 'by hand',
};

/** The name of an animator, as shown to the owner. */
export const makerLabel = (id: string) => labelsByMaker[id] ?? id;
