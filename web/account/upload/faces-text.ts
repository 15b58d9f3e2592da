/**
 * The text below a photo about the faces in the photo.
 *
 * @param faces the number of faces found. Undefined without a result: this shop has no face detection, the request
 * failed, or the response takes too long
 */
export function facesText({ isLooking, faces }: { isLooking: boolean; faces: number | undefined }): string {
  if (isLooking) return 'Looking for faces...';
  if (faces === undefined) return 'We couldn’t look for faces in this photo. Drag the dot to what matters most.';
  return faces > 0
    ? 'The video moves to the faces we found. Drag the dot to choose another spot.'
    : 'We didn’t find a face. Drag the dot to what matters most.';
}
