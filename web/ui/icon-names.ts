import { Gift, Heart, Lock, Shield, Sparkles, Star, Zap } from 'lucide-react';

/** Icons that the owner can choose by name. */
export const featureIcons = { Gift, Zap, Lock, Star, Heart, Shield, Sparkles };
export const aboutIcons = { heart: Heart, shield: Shield, zap: Zap };
