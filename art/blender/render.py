"""blender -b -P art/blender/render.py -- <group>/<scene> <out folder> [--draft 0.4] [--screen image] [--prints folder]"""
import argparse
import importlib
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import kit  # noqa: E402

parser = argparse.ArgumentParser()
parser.add_argument('scene')
parser.add_argument('out')
parser.add_argument('--draft', type=float, default=0)
parser.add_argument('--screen', help='picture for close-ups of the panel')
parser.add_argument('--sprites', action='store_true', help='only the moving parts of a gallery scene')
parser.add_argument('--prints', help='folder of gallery stills for printed photos')
args = parser.parse_args(sys.argv[sys.argv.index('--') + 1 :])

group, name = args.scene.split('/')
module = importlib.import_module(group)
os.makedirs(args.out, exist_ok=True)
for scene in module.SCENES if name == 'all' else name.split(','):
    kit.reset()
    module.DRAFT, module.SCREEN_IMAGE, module.PRINTS = args.draft, args.screen, args.prints
    module.SPRITES_ONLY = args.sprites
    module.SCENES[scene](args.out)
